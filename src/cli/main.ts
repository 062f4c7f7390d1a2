import { CommanderError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { SetupError } from '../errors.ts'
import { ListenError } from '../node/server.ts'
import { toTrace } from './log.ts'
import { createProgram } from './program.ts'
import { findUsageError } from './usage-error.ts'

const EXIT = { failure: 1, wrongInput: 2 } as const

/** Ends the process: with one sentence for what the user can fix, with the stack for anything else. */
function fail(fault: unknown): void {
  const failure = fault instanceof CommanderError ? findUsageError(fault, program) : fault
  if (failure === undefined) return
  const isKnown = failure instanceof SetupError || failure instanceof ListenError
  process.stderr.write(`${isKnown ? failure.message : toTrace(failure)}\n`)
  process.exitCode = failure instanceof SetupError ? EXIT.wrongInput : EXIT.failure
}

/** Prints all that a command has to say. */
function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

const surroundings = { folder: process.cwd(), env: process.env, version: packageJson.version }

const program = createProgram(
  {
    async serve(settings) {
      const { serve } = await import('./serve.ts')
      await serve(settings)
    },
    async scenarios({ scenarios: folder, json: isJson }) {
      const { listScenarios } = await import('./list-scenarios.ts')
      print(await listScenarios({ folder, isJson, width: process.stdout.columns ?? 80 }))
    },
    async init(folder) {
      const { init } = await import('./init.ts')
      print((await init(folder)).join('\n'))
    },
    async openapi({ yaml, openapiVersion }) {
      const { toOpenApiText } = await import('./openapi.ts')
      print(await toOpenApiText(yaml, openapiVersion))
    },
    async verify(settings) {
      const { runVerify } = await import('./verify.ts')
      const { text, status } = await runVerify(settings)
      print(text)
      process.exitCode = status
    },
    async coverage(settings) {
      const { readCoverage } = await import('./coverage.ts')
      const { text, shortfall } = await readCoverage(settings)
      print(text)
      if (shortfall === undefined) return
      process.stderr.write(`${shortfall}\n`)
      process.exitCode = EXIT.failure
    },
    async proxy(url, settings) {
      const { runProxy } = await import('./proxy.ts')
      await runProxy(url, settings)
    },
    async mcp(settings) {
      const { runMcp } = await import('./mcp.ts')
      await runMcp(settings)
    },
    async completion(shell, commands) {
      const { toCompletion } = await import('./completion.ts')
      print(toCompletion(commands, shell))
    },
  },
  surroundings,
)

// The reader may stop before the end, as `head` does.
process.stdout.on('error', () => undefined)

program.parseAsync().catch(fail)
