import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { describeInChromium } from '../../support/chromium.ts'
import { findPort } from '../../support/find-port.ts'
import { createProject, filesBeside, shortest } from './guide.ts'
import { serveApp } from './suite/app.ts'

interface Step {
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: { readonly path?: string }
}

const page = readFileSync(new URL('../../../docs/ci.md', import.meta.url), 'utf8')
const [, yaml = ''] = /^```yaml\n([^]*?)^```$/m.exec(page) ?? []
const { jobs } = parse(yaml) as { readonly jobs: { readonly test: { readonly steps: readonly Step[] } } }
const commands = jobs.test.steps.flatMap(({ run, env }) => (run === undefined ? [] : [{ run, env }]))

it('docs/ci.md installs the packages and the browser, and runs the tests', () => {
  expect(commands.map(({ run }) => run)).toEqual([
    'npm ci',
    'npx playwright install --with-deps chromium',
    expect.stringMatching(/^npx playwright test /),
  ])
})

describeInChromium('the workflow in docs/ci.md', () => {
  it('runs the tests, and leaves the report that it uploads', async () => {
    const mockPort = await findPort()
    const app = await serveApp(`http://localhost:${mockPort}`, () => ({}))
    onTestFinished(() => app.close())
    const ports = new Map([
      ['4010', mockPort],
      ['5173', Number(new URL(app.url).port)],
    ])
    const config = filesBeside('A mock for each worker').filter(({ path }) => path === 'playwright.config.ts')
    const { folder, config: here, remove } = await createProject([...config, ...shortest], ports, 'module')
    onTestFinished(remove)
    // The page's command uses the default configuration, which must know this machine's browser.
    await rename(join(folder, 'playwright.config.ts'), join(folder, 'shown.config.ts'))
    await rename(here, join(folder, 'playwright.config.ts'))
    await writeFile(
      join(folder, 'playwright.config.ts'),
      readFileSync(join(folder, 'playwright.config.ts'), 'utf8').replace('./playwright.config.ts', './shown.config.ts'),
    )
    await symlink('../@playwright/test/cli.js', join(folder, 'node_modules/.bin/playwright'))

    // Without CI=true, since the app already runs in this process.
    const { run = '', env } = commands.at(-1) ?? {}
    const { PATH, HOME } = process.env
    const { status, output } = await new Promise<{ readonly status: unknown; readonly output: string }>((resolve) =>
      execFile('sh', ['-c', run], { cwd: folder, env: { PATH, HOME, ...env } }, (fault, stdout, stderr) =>
        resolve({ status: fault?.code ?? 0, output: stdout + stderr }),
      ),
    )

    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('1 passed') as string })
    const [upload = ''] = jobs.test.steps.flatMap((step) => step.with?.path ?? [])
    expect(existsSync(join(folder, upload, 'index.html'))).toBe(true)
  })
})
