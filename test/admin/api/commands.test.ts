import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'

/** Every command of a page, in order; one may span several lines. */
const findCommands = (page: string): readonly string[] =>
  [...readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8').matchAll(/^```sh\n([^]*?)^```$/gm)]
    .flatMap(([, text = '']) =>
      text
        .replaceAll(/\\\n\s*/g, '')
        .trim()
        .split('\n'),
    )
    .map((command) => command.replace('http://127.0.0.1:4010', '$MOCK').replace('--max-time 5', '--max-time 0.2'))

/** curl's exit status after a timeout, which a stream always reaches. */
const TIME_IS_UP = 28

/** Runs the commands as a user would; returns the failed ones with the first words of the response. */
const toScript = (commands: readonly string[]): string => `
curl() { command curl --silent --show-error --fail-with-body "$@"; }
${commands
  .map(
    (command) =>
      `${command} > answer; status=$?; [ $status = 0 ] || echo "$status ${command.replaceAll('"', '\\"')}: $(head -c 300 answer)"`,
  )
  .join('\n')}
`

/** Runs the commands of pages on a new mock, and returns those that failed. */
async function runPages(pages: readonly string[]): Promise<readonly string[]> {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  const options = { cwd: await createTemporaryFolder(), env: { ...process.env, MOCK: server.url } }
  const { stdout } = await promisify(execFile)('sh', ['-c', toScript(pages.flatMap(findCommands))], options)
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith(`${TIME_IS_UP} curl -N`))
}

const pages = [
  ['docs/admin.md', 15],
  ['docs/sessions.md', 13],
  ['docs/journal.md', 13],
  ['docs/state.md', 15],
] as const

it.each(pages)('%s shows commands that work from top to bottom', async (page, atLeast) => {
  expect(findCommands(page).length).toBeGreaterThan(atLeast)
  expect(await runPages([page])).toEqual([])
})

it('the pages of the admin API show commands that work one page after the other on one mock', async () => {
  expect(await runPages(pages.map(([page]) => page))).toEqual([])
})
