import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'
import { filesOf } from '../../edges/library/page.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { chromiumLaunchOptions } from '../../support/chromium-launch.ts'
import { PATIENCE } from '../../support/patience.ts'

const root = join(import.meta.dirname, '../../..')
const tools = join(import.meta.dirname, '../node_modules')

/** Longer limits than a reader needs. */
const PATIENT = ['--testTimeout=600000', `--expect.poll.timeout=${PATIENCE}`]

/** A project with the code of both pages and the built package, copied as npm installs it: Vite treats links differently. */
async function layOutProject(): Promise<string> {
  const folder = await createTemporaryFolder()
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@vitest'), { recursive: true })
  for (const part of ['package.json', 'dist']) {
    await cp(join(root, part), join(modules, 'resource-mock', part), { recursive: true })
  }
  await symlink(join(root, 'node_modules/msw'), join(modules, 'msw'))
  for (const name of ['vitest', '@vitest/browser-playwright']) {
    await symlink(join(tools, name), join(modules, name))
  }
  await cp(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), join(folder, 'public/mockServiceWorker.js'))

  const files = new Map([
    ...filesOf('docs/vitest.md'),
    ...filesOf('docs/vitest-browser.md'),
    ['package.json', '{ "type": "module" }'],
  ])
  for (const [path, text] of files) {
    const launchOptions = JSON.stringify(chromiumLaunchOptions)
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text.replace('playwright()', `playwright({ launchOptions: ${launchOptions} })`))
  }
  return folder
}

describeInChromium("vitest's browser mode", () => {
  it('runs the code of docs/vitest.md and docs/vitest-browser.md, and loads no module of Node', async () => {
    const run = promisify(execFile)(process.execPath, [join(tools, 'vitest/vitest.mjs'), 'run', ...PATIENT], {
      cwd: await layOutProject(),
      env: { ...process.env, NO_COLOR: '1', CI: '1' },
    })
    const { stdout, stderr } = await run.catch((fault: { readonly stdout: string; readonly stderr: string }) => fault)
    expect(stdout).toMatch(/Tests +11 passed \(11\)/)
    // Vite's warning about a module of Node.
    expect(stdout + stderr).not.toContain('externalized')
  })
})
