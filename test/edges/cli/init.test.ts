import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock } from '../../../src/index.ts'
import { init, initStarters } from '../../../src/edges/cli/commands/init.ts'
import { SetupError } from '../../../src/errors.ts'
import { builtinFixtureTexts } from '../../../src/service/state/builtin-fixtures.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

it('writes the built-in fixtures, an example scenario, and a configuration that points to both', async () => {
  const folder = join(await createTemporaryFolder(), 'new')
  const lines = await init(folder)
  expect((await readdir(join(folder, 'fixtures'))).toSorted()).toEqual(Object.keys(builtinFixtureTexts).toSorted())
  expect(await readFile(join(folder, 'fixtures', 'cart.json'), 'utf8')).toBe(builtinFixtureTexts['cart.json'])
  expect(JSON.parse(await readFile(join(folder, 'resource-mock.config.json'), 'utf8'))).toEqual({
    fixtures: './fixtures',
    scenarios: './scenarios',
  })
  expect(lines).toContain(`Wrote ${join(folder, 'fixtures', 'cart.json')}`)
  expect(lines.at(-2)).toMatch(/then run: cd .*new && npx resource-mock$/)
})

it('writes an example scenario that works', async () => {
  const folder = await createTemporaryFolder()
  await init(folder)
  expect(await readdir(join(folder, 'scenarios'))).toEqual(['my-scenario.json'])
  const text = await readFile(join(folder, 'scenarios', 'my-scenario.json'), 'utf8')
  const mock = await createMock({
    auth: 'off',
    scenarios: { 'my-scenario.json': text },
    scenario: 'my-scenario',
    fixtures: { 'resources.json': '[{ "key": "shirt", "objectTypeProperty": {} }]' },
  })
  const headers = { 'Content-Type': 'application/json' }
  const path = '/acme/resource/00000000-0000-4000-8000-000000000001'
  const update = () => mock.fetch(path, { method: 'POST', headers, body: '{"version":1,"actions":[]}' })
  const statuses = [await update(), await update(), await update()].map(({ status }) => status)
  expect(statuses).toEqual([503, 503, 200])
})

it.each(['.', 'mocks', 'packages/shop/mocks'])('names the schema of scenarios relative to %s', async (place) => {
  const folder = await createTemporaryFolder()
  const installed = join(folder, 'node_modules', 'resource-mock')
  await mkdir(installed, { recursive: true })
  await writeFile(join(installed, 'scenario.schema.json'), '{}')
  await init(join(folder, place))
  const path = join(folder, place, 'scenarios', 'my-scenario.json')
  const { $schema } = JSON.parse(await readFile(path, 'utf8')) as { readonly $schema: string }
  expect($schema).toMatch(/^\.\.\//)
  expect(resolve(path, '..', $schema)).toBe(join(installed, 'scenario.schema.json'))
})

it('never overwrites a file, and reports the files that it kept', async () => {
  const folder = await createTemporaryFolder()
  const cart = join(folder, 'fixtures', 'cart.json')
  await mkdir(join(folder, 'fixtures'))
  await writeFile(cart, 'mine')
  const lines = await init(folder)
  expect(await readFile(cart, 'utf8')).toBe('mine')
  expect(lines).toContain(`Kept  ${cart}, which already exists`)
  expect(lines).toContain(`Wrote ${join(folder, 'fixtures', 'resources.json')}`)
})

it('keeps a configuration in JavaScript and does not write a second one', async () => {
  const folder = await createTemporaryFolder({ 'resource-mock.config.js': '' })
  const lines = await init(folder)
  expect(await readdir(folder)).not.toContain('resource-mock.config.json')
  expect(lines.at(-2)).toMatch(/npx resource-mock --fixtures fixtures --scenarios scenarios$/)
  expect(lines[0]).toBe(`Kept  ${join(folder, 'resource-mock.config.js')}, which already exists`)
})

it.each([
  ['the folder is a file', 'file'],
  ['a parent of the folder is a file', 'file/deeper'],
])('fails if %s', async (_where, place) => {
  const folder = await createTemporaryFolder({ file: '' })
  await expect(init(join(folder, place))).rejects.toThrow(SetupError)
  await expect(init(join(folder, place))).rejects.toThrow('Pass init a folder that you can write to.')
})

it('fails if a folder has the name of a file to write', async () => {
  const folder = await createTemporaryFolder()
  await mkdir(join(folder, 'resource-mock.config.json'))
  await expect(init(folder)).rejects.toThrow(/^Cannot write .*resource-mock\.config\.json\./)
})

it.skipIf(process.platform !== 'linux')('fails at once in a folder in which nobody can create anything', async () => {
  await expect(init('/proc/x/deeper')).rejects.toThrow(/^Cannot write .*\. Pass init a folder that you can write to\./)
})

describe('the files of a test runner', () => {
  it('are a configuration, a first test and a workflow, and what is missing is named', async () => {
    const folder = await createTemporaryFolder()
    const lines = await initStarters(folder, ['playwright', 'vitest'])
    const written = lines.flatMap((line) => /^Wrote (.*)/.exec(line)?.[1] ?? []).map((path) => relative(folder, path))
    expect(written).toEqual([
      'playwright.config.ts',
      'tests/conflict.spec.ts',
      '.github/workflows/playwright.yml',
      'vitest.config.ts',
      'test/outage.test.ts',
      '.github/workflows/vitest.yml',
    ])
    expect(lines.slice(7).filter((line) => !line.startsWith('Install a browser'))).toEqual([
      expect.stringMatching(/^Install what is missing: cd .* && npm install --save-dev @playwright\/test vitest$/),
      expect.stringMatching(/^Run the first test: cd .* && npx playwright test$/),
      expect.stringMatching(/^Run the first test: cd .* && npx vitest run test\/outage\.test\.ts$/),
    ])
  })

  it('never replace a file, nor a configuration of another type', async () => {
    const folder = await createTemporaryFolder()
    await mkdir(join(folder, 'test'))
    await writeFile(join(folder, 'vitest.config.mjs'), 'mine')
    await writeFile(join(folder, 'test', 'outage.test.ts'), 'mine')
    const lines = await initStarters(folder, ['vitest'])
    expect(lines.slice(0, 5)).toEqual([
      `Kept  ${join(folder, 'vitest.config.mjs')}, which already exists`,
      `Kept  ${join(folder, 'test/outage.test.ts')}, which already exists`,
      `Wrote ${join(folder, '.github/workflows/vitest.yml')}`,
      '',
      `The first test needs these settings. Add them to ${join(folder, 'vitest.config.mjs')}:`,
    ])
    expect(lines[6]).toContain('defineConfig(')
    expect(await readdir(folder)).not.toContain('vitest.config.ts')
    expect(await readFile(join(folder, 'test', 'outage.test.ts'), 'utf8')).toBe('mine')
  })

  it('need no package that the project lists, installed or not', async () => {
    const folder = await createTemporaryFolder({
      'package.json': JSON.stringify({ devDependencies: { vite: '8', vitest: '4' } }),
    })
    await mkdir(join(folder, 'packages', 'shop'), { recursive: true })
    expect((await initStarters(join(folder, 'packages', 'shop'), ['vite'])).join('\n')).not.toContain('npm install')
  })

  it.each([
    ['is named if it is missing', [], true],
    ['is not named if it is there', ['chromium_headless_shell-1200'], false],
  ])('the browser for Playwright %s', async (_when, browsers, isNamed) => {
    const folder = await createTemporaryFolder()
    await Promise.all(browsers.map((name) => mkdir(join(folder, 'browsers', name), { recursive: true })))
    vi.stubEnv('PLAYWRIGHT_BROWSERS_PATH', join(folder, 'browsers'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const lines = await initStarters(folder, ['playwright'])
    expect(lines.some((line) => line.includes('npx playwright install chromium'))).toBe(isNamed)
  })

  it('have nothing to add to a configuration that init wrote before', async () => {
    const folder = await createTemporaryFolder()
    await initStarters(folder, ['vite'])
    expect((await initStarters(folder, ['vite'])).join('\n')).not.toContain('Add them to')
  })

  it('come with a note if they are inside a repository, where GitHub runs only the workflows of the root', async () => {
    const root = await createTemporaryFolder()
    await mkdir(join(root, '.git'))
    expect((await initStarters(root, ['vite'])).join('\n')).not.toContain('GitHub')
    expect((await initStarters(join(root, 'packages', 'shop'), ['vite'])).at(-1)).toBe(
      `GitHub runs only workflows in ${join(root, '.github/workflows')}. Move the new one there, and give its job defaults: { run: { working-directory: packages/shop } } and its cache cache-dependency-path: packages/shop/package-lock.json`,
    )
  })

  it('come with a note if the package is a tarball that continuous integration does not have', async () => {
    const folder = await createTemporaryFolder()
    const dependencies = { 'resource-mock': 'file:../mock/resource-mock-0.1.0.tgz' }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ devDependencies: dependencies }, undefined, 2))
    expect((await initStarters(folder, ['vite'])).at(-1)).toBe(
      'For CI, copy ../mock/resource-mock-0.1.0.tgz into this folder, run npm install --save-dev ./resource-mock-0.1.0.tgz, and commit both.',
    )
  })
})
