import packageJson from '../../../package.json' with { type: 'json' }
import { SetupError } from '../../errors.ts'
import { ListenError } from '../node/server.ts'
import { toTrace } from './log.ts'
import { commands, createProgram, runProgram } from './program.ts'
import { exitOnSignals } from './signals.ts'

const EXIT = { failure: 1, wrongInput: 2 } as const

const program = createProgram(commands, { folder: process.cwd(), env: process.env, version: packageJson.version })

// The reader may close the pipe early, as `head` does.
process.stdout.on('error', () => undefined)

program.hook('preAction', (_program, command) => {
  exitOnSignals(commands.find(({ name }) => name === command.name())?.isServer === true ? 0 : undefined)
})

runProgram(program, process.argv.slice(2)).catch((error) => {
  const isKnown = error instanceof SetupError || error instanceof ListenError
  process.stderr.write(`${isKnown ? error.message : toTrace(error)}\n`)
  process.exitCode = error instanceof SetupError ? EXIT.wrongInput : EXIT.failure
})
