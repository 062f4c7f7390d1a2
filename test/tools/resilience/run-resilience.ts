import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromiumPath } from '../../support/chromium-launch.ts'
import type { ResilienceReport } from '../../../src/tools/resilience/report.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const PLAYWRIGHT = join(root, 'node_modules/@playwright/test/cli.js')

/** What a run of the command left behind. */
export interface ResilienceOutcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly report: ResilienceReport
  /** The content of a file in the run's folder. */
  read(name: string): string
}

/**
 * Runs `resource-mock resilience` on a suite, and reads its report.
 *
 * @param suite the configuration, and further arguments for Playwright
 * @param onOutput called after each part of the standard error with all of it
 * @param cell the variable that selects one variant
 */
export async function runResilience(
  options: readonly string[],
  suite: readonly [config: string, ...rest: string[]],
  onOutput: (stderr: string, child: ChildProcess) => void = () => undefined,
  cell?: string,
): Promise<ResilienceOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'resource-mock-resilience-test-'))
  const [config, ...rest] = suite
  const words = [process.execPath, PLAYWRIGHT, 'test', '-c', join(root, 'test/tools/resilience/suite', config), ...rest]
  const files = ['report.json', 'report.xml', 'report.html'].flatMap((name) => ['--report', name])
  const { PATH, HOME } = process.env
  const args = [join(root, 'bin/resource-mock.js'), 'resilience', ...files, ...options, '--', ...words]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      PATH,
      HOME,
      CHROMIUM: chromiumPath,
      OUTPUT: join(folder, 'output'),
      ...(cell && { RESOURCE_MOCK_CELL: cell }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
    onOutput(output.stderr, child)
  })
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    status,
    ...output,
    read,
    // Written by the command, unless it runs one variant.
    report: JSON.parse(cell === undefined ? read('report.json') : '{}') as ResilienceReport,
  }
}
