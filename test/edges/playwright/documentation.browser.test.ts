import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { describeInChromium } from '../../support/chromium.ts'
import { findPort } from '../../support/find-port.ts'
import { createProject, filesBeside, filesUnder, shortest } from './guide.ts'
import type { ModuleType, Project, ShownFile } from './guide.ts'
import { runPlaywright } from './run-playwright.ts'
import { serveApp } from './suite/app.ts'
import type { ToApiHeaders } from './suite/app.ts'

const COMPILER = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

const OWN = 'A mock for each worker'

/** A project from files in the documentation, and the app under test, configured with the mock's port. */
async function create(files: readonly ShownFile[], type: ModuleType): Promise<Project> {
  const mockPort = await findPort()
  const shown = filesBeside(OWN).find(({ path }) => path === 'server/api-headers.js')?.text ?? ''
  // The documentation shows a JavaScript file with this one export.
  const { toApiHeaders } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(shown)}`)) as {
    readonly toApiHeaders: ToApiHeaders
  }
  const app = await serveApp(`http://localhost:${mockPort}`, toApiHeaders)
  onTestFinished(() => app.close())
  const ports = new Map([
    ['4010', mockPort],
    ['5173', Number(new URL(app.url).port)],
  ])
  const project = await createProject(files, ports, type)
  onTestFinished(() => project.remove())
  return project
}

async function expectPassed({ folder, config }: Project, least: number): Promise<void> {
  const [runs, types] = await Promise.all([
    runPlaywright(config),
    promisify(execFile)(process.execPath, [COMPILER, '-p', folder]).catch(
      (fault: { readonly stdout: string }) => fault,
    ),
  ])
  expect(types.stdout).toBe('')
  expect(runs.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(runs.length).toBeGreaterThanOrEqual(least)
}

describeInChromium('docs/playwright.md', () => {
  it('shows tests that pass with one mock for all workers', async () => {
    const rendered = {
      path: 'tests/rendered.spec.ts',
      text: `import { expect, test } from 'resource-mock/playwright'

test('the server renders the session', async ({ page, mock }) => {
  await mock.seed([{ key: 'mine', objectTypeProperty: {} }])
  await page.goto('/rendered')
  await expect(page.getByRole('listitem')).toHaveText(['mine'])
})
`,
    }
    await expectPassed(await create([...filesBeside(OWN), ...shortest, rendered], 'module'), 11)
  })

  it("shows a test that passes with its worker's own mock, even in a CommonJS project", async () => {
    await expectPassed(await create(filesUnder(OWN), 'commonjs'), 1)
  })
})
