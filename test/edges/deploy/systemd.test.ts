import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const unit = readFileSync(join(root, 'examples/deploy/resource-mock.service'), 'utf8')
const page = readFileSync(join(root, 'docs/demo-environments.md'), 'utf8')

/** The text that the page adds with `systemctl edit`. */
const dropIns = [...page.matchAll(/^```ini\n([^]*?)^```$/gm)].map(([, text = '']) => text)

function hasSystemd(): boolean {
  try {
    execFileSync('systemd-analyze', ['--version'])
    return true
  } catch {
    console.warn(
      '\n*** SKIPPED: the unit of systemd is not verified, for there is no systemd-analyze.\n*** Get it with: apt-get install systemd\n',
    )
    return false
  }
}

/** The problems that systemd reports for the unit, with an optional drop-in. */
async function verify(dropIn?: string): Promise<string> {
  const folder = await createTemporaryFolder()
  const command = join(folder, 'node_modules/.bin/resource-mock')
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  await writeFile(command, '#!/bin/sh\n')
  await chmod(command, 0o755)
  const toHere = (text: string): string => text.replaceAll('/opt/resource-mock', folder)
  await writeFile(join(folder, 'resource-mock.service'), toHere(unit))
  if (dropIn !== undefined) {
    await mkdir(join(folder, 'resource-mock.service.d'))
    await writeFile(join(folder, 'resource-mock.service.d/override.conf'), toHere(dropIn))
  }
  const { stdout, stderr } = await promisify(execFile)('systemd-analyze', [
    'verify',
    join(folder, 'resource-mock.service'),
  ])
  return stdout + stderr
}

describe.skipIf(!hasSystemd())('systemd', () => {
  it('reports no problems in the unit', async () => {
    expect(await verify()).toBe('')
  })

  it.each(dropIns)('reports no problems in the addition from the page: %j', async (dropIn) => {
    expect(await verify(dropIn)).toBe('')
  })

  it('reports problems in an invalid unit', async () => {
    expect(await verify('[Service]\nRuntimeMaxSec=daily\n')).toContain('daily')
  })
})

it('the page adds two sections to the unit', () => {
  expect(dropIns).toHaveLength(2)
})
