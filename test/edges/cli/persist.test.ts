import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run, start } from './command.ts'
import { expectNothingLost, HEADERS } from './kill-while-writing.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

it('loses no acknowledged write when it is killed', () => expectNothingLost(25))

it('responds with 503 and keeps its state if the disk refuses a write, and recovers when it can write again', async () => {
  const file = join(await createTemporaryFolder(), 'state.json')
  const mock = start(['--port', '0', '--persist', file, '--log', 'json'], { maxFileKibibytes: 128 })
  const url = await mock.ready
  const health = async () => (await fetch(`${url}/__admin/health`)).status
  const write = async (key: string, size: number) => {
    const body = JSON.stringify({ key, objectTypeProperty: { arrayOfStringExample: ['x'.repeat(size)] } })
    return (await fetch(`${url}/acme/resource`, { method: 'POST', headers: HEADERS, body })).status
  }
  const read = async (key: string) => (await fetch(`${url}/acme/resource/key=${key}`, { headers: HEADERS })).status

  expect(await write('small', 10)).toBe(201)
  expect(await health()).toBe(200)
  expect(await write('large', 200_000)).toBe(503)
  expect(await read('large')).toBe(404)
  expect(await read('small')).toBe(200)
  const answer = await fetch(`${url}/__admin/health`)
  expect(answer.status).toBe(503)
  const sentence = `The state file ${file} could not be written, so the change was undone: EFBIG`
  expect(await answer.json()).toMatchObject({ status: 'unhealthy', message: expect.stringContaining(sentence) })

  expect(await write('small', 20)).toBe(201)
  expect(await health()).toBe(200)
  expect(await mock.stop()).toBe(0)
  expect(mock.output.stderr).toContain(sentence)
  expect(await readFile(file, 'utf8')).not.toContain('"large"')
})

it('does not start with a state file that it cannot read, and does not change it', async () => {
  const file = join(await createTemporaryFolder(), 'state.json')
  await writeFile(file, '{"format":"resource-mock/1","sessions":{"default":[{]}}')
  const { status, stderr, stdout } = await run(['--port', '0', '--persist', file])
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(`The state file ${file} cannot be read: line 1, column `)
  expect(await readFile(file, 'utf8')).toContain('[{]')
})

it('says which projects have changes over old fixtures if the fixtures are not those of the last run', async () => {
  const root = await createTemporaryFolder()
  const folder = join(root, 'fixtures')
  await mkdir(folder)
  const args = ['--port', '0', '--log', 'silent', '--persist', join(root, 'state.json'), '--fixtures', folder]
  const body = '{ "objectTypeProperty": {} }'
  async function runOnce(fixture: string, paths: readonly string[] = []): Promise<string> {
    await writeFile(join(folder, 'action.json'), fixture)
    const mock = start(args)
    const url = await mock.ready
    for (const path of paths) await fetch(`${url}${path}/resource`, { method: 'POST', headers: HEADERS, body })
    await mock.stop()
    return mock.output.stderr
  }

  expect(await runOnce('{ "a": 1 }', ['/acme', '/@worker-1/shop', '/eu/gcp/acme'])).toBe('')
  expect(await runOnce('{ "a": 1 }')).toBe('')
  expect(await runOnce('{ "a": 2 }')).toContain(
    'The fixtures are not those of the last run. The changes of these projects now apply to the new ones: acme, eu/gcp/acme, @worker-1/shop. To drop',
  )
  expect(await runOnce('{ "a": 2 }')).toBe('')
})
