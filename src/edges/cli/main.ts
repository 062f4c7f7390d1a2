import packageJson from '../../../package.json' with { type: 'json' }
import { commands, createProgram, fail, runProgram } from './program.ts'
import { exitOnSignals } from './signals.ts'

const program = createProgram(commands, { folder: process.cwd(), env: process.env, version: packageJson.version })

// The reader may close the pipe early, as `head` does.
process.stdout.on('error', () => undefined)

program.hook('preAction', (_program, command) => {
  exitOnSignals(commands.find(({ name }) => name === command.name())?.isServer === true ? 0 : undefined)
})

runProgram(program, process.argv.slice(2)).catch(fail)
