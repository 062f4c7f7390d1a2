import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run, start } from './command.ts'
import { expectNothingLost } from './kill-while-writing.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

it.each([1, 100])('loses no acknowledged write when it is killed after %i writes', expectNothingLost)

it('refuses to start with a state file that another mock has open', async () => {
  const file = join(await createTemporaryFolder(), 'state.json')
  const first = start(['--port', '0', '--persist', file, '--log', 'silent'])
  await first.ready
  const { status, stderr } = await run(['--port', '0', '--persist', file])
  expect(status).toBe(2)
  expect(stderr).toContain(`The state file ${file} is in use by another mock. Stop that mock`)
})
