import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { COMMAND } from './command.ts'

/** A shell line that runs in a pseudo-terminal. */
export interface Terminal {
  /**
   * Resolves with the text up to the next match of the pattern, since the last call.
   *
   * @throws {Error} with the output so far, if the shell line ends without a match, or none appears in time.
   */
  waitFor(pattern: RegExp): Promise<string>
  type(keys: string): void
  /** Resolves when the shell line ends. */
  readonly ended: Promise<void>
}

/** The command, as the start of a shell line. */
export const MOCK = `'${process.execPath}' '${COMMAND}' --port 0`

/** Runs a shell line in a pseudo-terminal of 80 columns. */
export function openPseudoTerminal(line: string, env: Readonly<Record<string, string>> = {}): Terminal {
  const script = `stty cols 80; ${line}`
  // script(1) exists on every Debian and macOS, with different argument orders.
  const args =
    process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', script] : ['-qfec', script, '-O', '/dev/null']
  const { PATH = '' } = process.env
  const child = spawn('script', args, {
    env: { PATH, SHELL: '/bin/sh', NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  let hasEnded = false
  const ended = once(child, 'close').then(() => void (hasEnded = true))
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))

  return {
    async waitFor(pattern) {
      const signal = AbortSignal.timeout(PATIENCE)
      for (;;) {
        const found = pattern.exec(output)
        if (found !== null) {
          const before = output.slice(0, found.index + found[0].length)
          output = output.slice(before.length)
          return before
        }
        if (hasEnded || signal.aborted) {
          throw new Error(
            `${hasEnded ? 'The shell line ended' : `${PATIENCE} ms passed`} without ${pattern}: ${output}`,
          )
        }
        await Promise.race([once(child.stdout, 'data', { signal }).catch(() => undefined), ended])
      }
    },
    type: (keys) => void child.stdin.write(keys),
    ended,
  }
}
