import { expect, it } from 'vitest'
import { start } from '../../edges/cli/command.ts'

const printSpans = new URL('print-spans.mjs', import.meta.url).href

it('the command creates spans if an SDK is registered before it starts', async () => {
  const mock = start(['--port', '0', '--log', 'silent'], { env: { NODE_OPTIONS: `--import ${printSpans}` } })
  await fetch(`${await mock.ready}/acme/resource`)
  await expect.poll(() => mock.output.stderr).toContain('span GET /{projectKey}/resource')
})
