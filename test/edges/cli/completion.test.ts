import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SHELLS, toCompletion } from '../../../src/edges/cli/commands/print.ts'
import { commands, createProgram } from '../../../src/edges/cli/program.ts'

const program = createProgram(commands, { folder: '/', env: {}, version: '1.2.3' })

/** Bash's completions for the last of these words. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const script = `${await toCompletion(program, 'bash')}
COMP_WORDS=(resource-mock "$@")
COMP_CWORD=$#
_resource_mock
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', ...words])
  return stdout.split('\n').filter((line) => line !== '')
}

describe('bash completes', () => {
  it.each([
    [['ver'], ['verify']],
    [['--pers'], ['--persist']],
    [['serve', '--pers'], ['--persist']],
    [['scenarios', '--j'], ['--json']],
    [['--auth', 's'], ['strict']],
    [
      ['--log', ''],
      ['pretty', 'json', 'silent'],
    ],
    [
      ['--scenario', 'conf'],
      ['conflict', 'conflict-once'],
    ],
    [['-s', 'slo'], ['slow']],
    [['--port', '4010', '--strict', '--pers'], ['--persist']],
    [['openapi', '--pers'], []],
    [['--fixtures', 'ver'], []],
    [['--delay', 'm'], []],
  ])('%j with %j', async (words, offered) => {
    expect(await complete(...words)).toEqual(offered)
  })
})

describe.each(SHELLS)('the script for %s', (shell) => {
  it('has each command and its options', async () => {
    const script = await toCompletion(program, shell)
    for (const command of program.commands) {
      expect(script).toContain(command.name())
      // The opposite of a switch is hidden: a shell would offer twice as many words.
      for (const { long } of command.options.filter(({ hidden }) => !hidden))
        expect(script).toContain(`${shell === 'fish' ? '-l ' : '--'}${long?.slice(2)}`)
    }
  })
})

it('refuses an unknown shell', async () => {
  await expect(toCompletion(program, 'bsh')).rejects.toThrow(
    'Unknown shell "bsh". Did you mean "bash"? Use bash, zsh or fish.',
  )
})
