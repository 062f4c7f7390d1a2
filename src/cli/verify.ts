import { createSocketTransport } from '../node/socket-transport.ts'
import { toJson } from '../verify/reporters/json.ts'
import { toJunit } from '../verify/reporters/junit.ts'
import { toPretty } from '../verify/reporters/pretty.ts'
import type { Paint } from '../verify/reporters/pretty.ts'
import { toTap } from '../verify/reporters/tap.ts'
import type { Report } from '../verify/report.ts'
import { verify } from '../verify/verify.ts'
import { createPaint, toPrintable, wantsColour } from './log.ts'
import { handleSignals } from './signals.ts'
import type { ReporterName, VerifySettings } from './verify-settings.ts'

interface Verified {
  readonly text: string
  readonly status: number
}

/** What the command ends with. */
const EXIT = { held: 0, failed: 1, notRun: 2 } as const

/** Failed where something is left behind, too; where nothing was tried, or not all, nothing is known to hold. */
function toStatus({ counts, leftovers, isInterrupted }: Report): number {
  if (counts.failed > 0 || leftovers.length > 0) return EXIT.failed
  return isInterrupted || counts.held === 0 ? EXIT.notRun : EXIT.held
}

/** The provider's texts are spelled out where a terminal would obey them. */
function createReportPaint(): Paint {
  const paint = createPaint(wantsColour(process.env, process.stdout.isTTY))
  return (style, text) => (style === 'plain' ? toPrintable(text) : paint(style, toPrintable(text)))
}

const reporters: Readonly<Record<ReporterName, (report: Report) => string>> = {
  pretty: (report) => toPretty(report, createReportPaint()),
  json: toJson,
  junit: toJunit,
  tap: toTap,
}

/** Goes to the start of the line and erases it (ECMA-48, CR and EL). */
const ERASED = '\r\u001B[K'

/** Shows on a terminal what is under way, in place of what was; the empty string for nothing. */
function showProgress(text: string): void {
  if (process.stderr.isTTY && process.env['TERM'] !== 'dumb') process.stderr.write(ERASED + text)
}

/**
 * Verifies a provider. The first Ctrl-C ends it in order: what was written is removed first.
 *
 * @returns the report, and the exit status.
 * @throws {SetupError} when the provider cannot be reached, is elsewhere, or takes no token.
 */
export async function runVerify({ reporter, ...settings }: VerifySettings): Promise<Verified> {
  const interruption = new AbortController()
  handleSignals({
    onEnd() {
      showProgress('')
      process.stderr.write('Ending: what was written is removed first.\n')
      interruption.abort()
    },
    onAbort: (status) => process.exit(status),
  })
  let examined = 0
  const report = await verify({
    ...settings,
    transport: createSocketTransport(),
    newId: () => crypto.randomUUID(),
    elapsed: () => performance.now(),
    signal: interruption.signal,
    onSubject(id) {
      examined += 1
      showProgress(`${examined} examined, ${id} last …`)
    },
  }).finally(() => showProgress(''))
  return { text: reporters[reporter](report), status: toStatus(report) }
}
