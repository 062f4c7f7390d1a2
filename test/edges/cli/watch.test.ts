import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AUTHORIZED, start } from './command.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const action = (text: string) => JSON.stringify({ text })

const scenario = (status: number) =>
  JSON.stringify({ description: 'Ends', rules: [{ effect: { answer: { status, stage: 'gateway' } } }] })

/** A mock that watches its own folders, and its log messages one by one. */
async function watchFolders(
  { fixtures = {}, scenarios = {} }: Record<string, Record<string, string>> = {},
  args: string[] = [],
) {
  const root = await createTemporaryFolder()
  const folders = { fixtures: join(root, 'mocks', 'fixtures'), scenarios: join(root, 'mocks', 'scenarios') }
  for (const [folder, files] of [
    [folders.fixtures, fixtures],
    [folders.scenarios, scenarios],
  ] as const) {
    await mkdir(folder, { recursive: true })
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  }
  const mock = start(
    [
      '--port',
      '0',
      '--log',
      'json',
      '--watch',
      '--fixtures',
      'mocks/fixtures',
      '--scenarios',
      'mocks/scenarios',
      ...args,
    ],
    { cwd: root },
  )
  const url = await mock.ready
  const next = mock.notes()
  expect((await next()).message).toContain('Fixtures from mocks/fixtures/')
  expect(await next()).toEqual({ level: 'info', message: 'Watching mocks/fixtures/ and mocks/scenarios/' })
  const ask = async (path: string) => (await fetch(`${url}${path}`, AUTHORIZED)).json() as Promise<unknown>
  return {
    root,
    ...folders,
    next,
    action: () => ask('/acme/resource/namespace-action'),
    problems: async () => ((await ask('/__admin/health')) as { problems: unknown }).problems,
    status: async (name: string) =>
      (await fetch(`${url}/acme/resource`, { headers: { ...AUTHORIZED.headers, 'X-Mock-Scenario': name } })).status,
  }
}

/** As editors save: written next to it, then renamed over it. */
function saveByRename(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, `${name}.tmp~`), text)
  renameSync(join(folder, `${name}.tmp~`), join(folder, name))
}

const reloaded = (files: string) => ({ level: 'info', message: `Reloaded ${files}.` })

// Each change is made in one turn, with `…Sync`: half of a change must not stay quiet long enough to be read.
describe('reloads', () => {
  it('a file that is written in place repeatedly', async () => {
    const { fixtures, next, action: current } = await watchFolders({ fixtures: { 'action.json': action('first') } })
    for (const text of ['second', 'third', 'fourth']) {
      writeFileSync(join(fixtures, 'action.json'), action(text))
      expect(await next()).toEqual(reloaded('action.json'))
      expect(await current()).toEqual({ text })
    }
  })

  it('a file that an editor saves by a rename repeatedly', async () => {
    const { fixtures, next, action: current } = await watchFolders({ fixtures: { 'action.json': action('first') } })
    for (const text of ['second', 'third', 'fourth']) {
      saveByRename(fixtures, 'action.json', action(text))
      expect(await next()).toEqual(reloaded('action.json'))
      expect(await current()).toEqual({ text })
    }
  })

  it('a file that is added and removed again', async () => {
    const { scenarios, next, status } = await watchFolders()
    expect(await status('teapot')).toBe(400)
    writeFileSync(join(scenarios, 'teapot.json'), scenario(418))
    expect(await next()).toEqual(reloaded('teapot.json'))
    expect(await status('teapot')).toBe(418)
    await unlink(join(scenarios, 'teapot.json'))
    expect(await next()).toEqual(reloaded('teapot.json'))
    expect(await status('teapot')).toBe(400)
  })

  it('a folder that is replaced, and changes in the new one', async () => {
    const {
      root,
      fixtures,
      next,
      action: current,
    } = await watchFolders({ fixtures: { 'action.json': action('first') } })
    await mkdir(join(root, 'new'))
    await writeFile(join(root, 'new', 'action.json'), action('second'))
    renameSync(fixtures, join(root, 'old'))
    renameSync(join(root, 'new'), fixtures)
    expect(await next()).toEqual(reloaded('action.json'))
    expect(await current()).toEqual({ text: 'second' })
    saveByRename(fixtures, 'action.json', action('third'))
    expect(await next()).toEqual(reloaded('action.json'))
    expect(await current()).toEqual({ text: 'third' })
  })

  it('a folder that is a link, if the link gets another target', async () => {
    const {
      root,
      fixtures,
      next,
      action: current,
    } = await watchFolders({ fixtures: { 'action.json': action('first') } })
    for (const text of ['second', 'third']) {
      await mkdir(join(root, text))
      await writeFile(join(root, text, 'action.json'), action(text))
      await symlink(join(root, text), join(root, 'link'))
      if (text === 'second') renameSync(fixtures, join(root, 'old'))
      renameSync(join(root, 'link'), fixtures)
      expect(await next()).toEqual(reloaded('action.json'))
      expect(await current()).toEqual({ text })
    }
    saveByRename(join(root, 'third'), 'action.json', action('fourth'))
    expect(await next()).toEqual(reloaded('action.json'))
  })

  it('a folder that is removed with its parent and comes back', async () => {
    const {
      root,
      fixtures,
      scenarios,
      next,
      problems,
      action: current,
    } = await watchFolders({
      fixtures: { 'action.json': action('first') },
    })
    rmSync(join(root, 'mocks'), { recursive: true })
    expect(await next()).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('is not a readable folder'),
    })
    expect(await problems()).toEqual([expect.stringContaining('is not a readable folder')])
    expect(await current()).toEqual({ text: 'first' })
    await mkdir(join(root, 'new'))
    await writeFile(join(root, 'new', 'action.json'), action('second'))
    mkdirSync(scenarios, { recursive: true })
    renameSync(join(root, 'new'), fixtures)
    expect(await next()).toEqual({ level: 'info', message: 'Fixed. Reloaded action.json.' })
    expect(await current()).toEqual({ text: 'second' })
  })
})

describe('a broken file', () => {
  it('keeps the last valid fixture, and the log and the health report its position until it is fixed', async () => {
    const {
      fixtures,
      next,
      problems,
      action: current,
    } = await watchFolders({
      fixtures: { 'action.json': action('first') },
    })
    expect(await problems()).toEqual([])
    saveByRename(fixtures, 'action.json', '{\n  "text": oops\n}')
    const { level, message } = await next()
    expect(level).toBe('warn')
    expect(message).toMatch(/action\.json.*2.*11.* Until you fix it, the mock uses the last valid version\.$/)
    expect(message).not.toContain('\n')
    expect(await problems()).toEqual([message.replace(/ Until you fix it.*/, '')])
    expect(await current()).toEqual({ text: 'first' })

    saveByRename(fixtures, 'action.json', action('second'))
    expect(await next()).toEqual({ level: 'info', message: 'Fixed. Reloaded action.json.' })
    expect(await problems()).toEqual([])
    expect(await current()).toEqual({ text: 'second' })
  })

  it('of the scenarios does not block changes of the fixtures', async () => {
    const {
      fixtures,
      scenarios,
      next,
      status,
      problems,
      action: current,
    } = await watchFolders({
      fixtures: { 'action.json': action('first') },
      scenarios: { 'mine.json': scenario(418) },
    })
    writeFileSync(join(scenarios, 'mine.json'), scenario(418).replace('"effect"', '"efect"'))
    expect(await next()).toMatchObject({ level: 'warn', message: expect.stringMatching(/mine\.json:1:\d+.*"effect"/) })
    expect(await status('mine')).toBe(418)
    writeFileSync(join(fixtures, 'action.json'), action('second'))
    expect(await next()).toMatchObject({ level: 'warn', message: expect.stringContaining('mine.json') })
    expect(await current()).toEqual({ text: 'second' })
    expect(await problems()).toHaveLength(1)
    writeFileSync(join(scenarios, 'mine.json'), scenario(503))
    expect(await next()).toEqual({ level: 'info', message: 'Fixed. Reloaded mine.json.' })
    expect(await status('mine')).toBe(503)
  })

  it('does not block changes of other files, nor of scenarios with body files', async () => {
    const { scenarios, next, status, problems } = await watchFolders({
      scenarios: { 'mine.json': scenario(418), 'other.json': scenario(500) },
    })
    writeFileSync(join(scenarios, 'mine.json'), '{')
    expect(await next()).toMatchObject({ level: 'warn', message: expect.stringContaining('mine.json:1:') })
    saveByRename(scenarios, 'other.json', scenario(502))
    expect(await next()).toMatchObject({ level: 'warn', message: expect.stringContaining('mine.json:1:') })
    expect([await status('mine'), await status('other')]).toEqual([418, 502])
    writeFileSync(join(scenarios, 'teapot.txt'), 'short and stout')
    saveByRename(scenarios, 'served.json', scenario(418).replace('"stage"', '"bodyFile":"teapot.txt","stage"'))
    expect(await next()).toMatchObject({ level: 'warn', message: expect.stringContaining('mine.json:1:') })
    expect([await status('mine'), await status('served')]).toEqual([418, 418])
    expect(await problems()).toHaveLength(1)
    await unlink(join(scenarios, 'other.json'))
    await next()
    expect(await status('other')).toBe(400)
    saveByRename(scenarios, 'mine.json', scenario(503))
    expect(await next()).toEqual({ level: 'info', message: 'Fixed. Reloaded mine.json.' })
    expect([await status('mine'), await status('served')]).toEqual([503, 418])
  })

  it('is logged even if requests are not', async () => {
    const { fixtures, next } = await watchFolders({ fixtures: { 'action.json': action('first') } })
    writeFileSync(join(fixtures, 'action.json'), '')
    expect(await next()).toMatchObject({ level: 'warn', message: expect.stringContaining('action.json') })
  })
})

it('skips the byte order mark that some editors write', async () => {
  const { fixtures, scenarios, next, status, action: current } = await watchFolders()
  writeFileSync(join(fixtures, 'action.json'), `\uFEFF${action('marked')}`)
  expect(await next()).toEqual(reloaded('action.json'))
  expect(await current()).toEqual({ text: 'marked' })
  writeFileSync(join(scenarios, 'mine.json'), `\uFEFF${scenario(418)}`)
  expect(await next()).toEqual(reloaded('mine.json'))
  expect(await status('mine')).toBe(418)
})

it('ignores the temporary files of editors', async () => {
  const { fixtures, next, action: current } = await watchFolders({ fixtures: { 'action.json': action('first') } })
  await symlink('user@host.1', join(fixtures, '.#action.json'))
  writeFileSync(join(fixtures, 'action.json~'), 'broken')
  writeFileSync(join(fixtures, '.action.json.swp'), 'broken')
  writeFileSync(join(fixtures, 'action.json'), action('second'))
  expect(await next()).toEqual(reloaded('action.json'))
  expect(await current()).toEqual({ text: 'second' })
})

it('reports that there is nothing to watch without a user folder', async () => {
  const mock = start(['--port', '0', '--watch'])
  await mock.ready
  const next = mock.notes()
  await next()
  expect(await next()).toEqual({
    level: 'info',
    message: '--watch has no effect without --fixtures or --scenarios. Add one of them, or remove --watch.',
  })
})

it('stops cleanly', async () => {
  const mock = start(['--port', '0', '--watch', '--fixtures', await createTemporaryFolder()])
  const next = mock.notes()
  await mock.ready
  await next()
  await next()
  expect(await mock.stop()).toBe(0)
})
