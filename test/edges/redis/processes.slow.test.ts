import { expect, inject, it } from 'vitest'
import { start } from '../cli/command.ts'
import type { Running } from '../cli/command.ts'
import { base, caller, create, draft, newStoreUrl, update } from './replicas.ts'

/** Starts the command on a store. */
async function startCommand(url: string, ...more: readonly string[]): Promise<Running & { readonly url: string }> {
  const running = start(['--port', '0', '--log', 'json', '--store', url, ...more])
  return { ...running, url: await running.ready }
}

it('loses no acknowledged write when processes are killed under load', async () => {
  const url = newStoreUrl()
  const survivor = await startCommand(url)
  const acknowledged: string[] = []
  for (let kill = 1; kill <= 4; kill += 1) {
    const victim = await startCommand(url)
    const before = acknowledged.length
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const call = caller(writer % 2 === 0 ? victim.url : survivor.url)
      for (let at = 0; victim.process.exitCode === null && victim.process.signalCode === null; at += 1) {
        const key = `kill-${kill}-writer-${writer}-${at}`
        const reply = await call('POST', base, draft(key)).catch(() => undefined)
        if (reply?.status === 201) acknowledged.push(key)
      }
    })
    await expect.poll(() => acknowledged.length, { timeout: 120_000 }).toBeGreaterThan(before + 50)
    victim.process.kill('SIGKILL')
    await Promise.all(writers)
  }
  const written: string[] = []
  for (let offset = 0; ; offset += 500) {
    const { body } = await caller(survivor.url)('GET', `${base}?limit=500&offset=${offset}`)
    written.push(...body.results.map(({ key = '' }: { key?: string }) => key))
    if (body.results.length < 500) break
  }
  const own = written.filter((key) => key.startsWith('kill-'))
  expect(acknowledged.filter((key) => !own.includes(key))).toEqual([])
  expect(new Set(own).size).toBe(own.length)
})

it('returns only current data from a process that resumes after being frozen', async () => {
  const url = newStoreUrl()
  const [frozen, other] = [await startCommand(url), await startCommand(url)]
  const id = await create(caller(frozen.url), 'watched')
  frozen.process.kill('SIGSTOP')
  // Sent while it cannot be served.
  const waiting = caller(frozen.url)('POST', `${base}/${id}`, update(1))
  for (let version = 1; version <= 3; version += 1) {
    expect((await caller(other.url)('POST', `${base}/${id}`, update(version))).status).toBe(200)
  }
  frozen.process.kill('SIGCONT')
  const late = await waiting
  expect([late.status, late.body.errors[0].currentVersion]).toEqual([409, 4])
  expect((await caller(frozen.url)('GET', `${base}/${id}`)).body.version).toBe(4)
})

it('exits with 2 and a message if the store is not available', async () => {
  const running = start(['--port', '0', '--store', 'redis://127.0.0.1:1', '--store-wait', '0s'])
  await expect(running.ready).rejects.toThrow()
  expect(await running.ended).toBe(2)
  expect(running.output.stderr).toContain('The store redis://127.0.0.1:1 does not respond (')
})

it.each([
  ['--persist', 'state.json', 'persist and store are mutually exclusive.'],
  ['--watch', '', '--watch and --store are mutually exclusive'],
])('exits with 2 and a message with %s', async (flag, value, sentence) => {
  const running = start(['--port', '0', '--store', inject('storeUrl'), flag, ...(value === '' ? [] : [value])])
  await expect(running.ready).rejects.toThrow()
  expect([await running.ended, running.output.stderr]).toEqual([2, expect.stringContaining(sentence)])
})

it('reports its store in lines of the JSON log', async () => {
  const { notes } = await startCommand(newStoreUrl())
  const next = notes()
  let note = await next()
  // On a busy machine, other notes may come first.
  while (!note.message.includes('appendonly')) note = await next()
  expect(note).toMatchObject({ level: 'warn', message: expect.stringContaining('set appendonly to yes') })
})
