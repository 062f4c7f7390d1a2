import { Command } from 'commander'
import { gather } from './option.ts'

/** The environment variables that keep secrets out of the list of processes. */
export const VARIABLES = { token: 'RESOURCE_MOCK_VERIFY_TOKEN', client: 'RESOURCE_MOCK_VERIFY_CLIENT' } as const

/** The command's flags as they were typed. */
export interface VerifyFlags {
  readonly token?: string
  readonly client?: string
  readonly tokenUrl?: string
  readonly project: string
  readonly otherProject?: string
  readonly readOnly?: true
  readonly allowWrites?: true
  readonly only?: readonly string[]
  readonly reporter: string
  readonly timeout: string
}

/** Builds `resource-mock verify <url>`. */
export function createVerifyCommand(
  verify: (url: string, flags: VerifyFlags, command: Command) => Promise<void>,
): Command {
  return (
    new Command('verify')
      .summary('hold a service to the contract, operation by operation')
      .description(
        'Runs every operation against a service and says what held, what failed and what could not be tried. Ends with 0 where all held, 1 where something failed, 2 where it could not run.',
      )
      .argument('<url>', 'the base URL, before the project key')
      .option('--token <token>', `what to ask with (env: ${VARIABLES.token})`)
      .option(
        '--client <id:secret>',
        `an OAuth client that gets tokens, of fewer scopes too (env: ${VARIABLES.client})`,
      )
      .option('--token-url <url>', 'where the client gets them (default: /oauth/token under the URL)')
      .option('--project <key>', 'the project to read and write', 'acme')
      .option('--other-project <key>', 'a project that is only read (default: the project key and "-other")')
      .option('--read-only', 'send nothing that writes (the default)')
      .option('--allow-writes', 'write too, and remove what was written')
      .option(
        '--only <operations>',
        'these operations, anyPath or tokenEndpoints alone; repeatable or comma-separated',
        gather,
      )
      .option('--reporter <pretty|json|junit|tap>', 'how to tell it', 'pretty')
      .option('--timeout <time>', 'how long an answer may take', '10s')
      // Commander gives the flags as the options above declare them.
      .action(verify)
  )
}
