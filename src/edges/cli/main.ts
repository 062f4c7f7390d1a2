import { CommanderError } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { SetupError } from '../../errors.ts'
import { ListenError } from '../node/server.ts'
import { toTrace } from './log.ts'
import { commands, createProgram, findUsageError } from './program.ts'

const EXIT = { failure: 1, wrongInput: 2 } as const

/** Exits the process: prints one sentence if the user can fix the error, otherwise the stack. */
function fail(error: unknown): void {
  const failure = error instanceof CommanderError ? findUsageError(error, program) : error
  if (failure === undefined) return
  const isKnown = failure instanceof SetupError || failure instanceof ListenError
  process.stderr.write(`${isKnown ? failure.message : toTrace(failure)}\n`)
  process.exitCode = failure instanceof SetupError ? EXIT.wrongInput : EXIT.failure
}

const program = createProgram(commands, { folder: process.cwd(), env: process.env, version: packageJson.version })

// The reader may close the pipe early, as `head` does.
process.stdout.on('error', () => undefined)

program.parseAsync().catch(fail)
