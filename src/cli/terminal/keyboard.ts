import { emitKeypressEvents } from 'node:readline'
import type { ReadStream } from 'node:tty'
import { isForeground } from './foreground.ts'

/** A key as `node:readline` tells it. */
export interface Key {
  /** What it sends; more than one character for those that are no characters. */
  readonly sequence: string
  readonly name?: string | undefined
  readonly ctrl: boolean
}

interface KeyboardParts {
  readonly stdin: ReadStream
  /** Called once, when keys are read for the first time. */
  readonly onReady: () => void
  readonly onKey: (key: Key) => void
  /** Ctrl-C, which is no signal while keys are read one by one. */
  readonly onInterrupt: () => void
}

/**
 * Reads a terminal key by key, as long as this process is in its foreground, and gives it back as it was when the process
 * ends or is stopped by Ctrl-Z.
 */
export function readKeys({ stdin, onReady, onKey, onInterrupt }: KeyboardParts): void {
  let wasReady = false

  function release(): void {
    stdin.setRawMode(false)
    stdin.pause()
  }

  async function engage(): Promise<void> {
    if (!(await isForeground())) return
    stdin.setRawMode(true)
    stdin.resume()
    if (!wasReady) onReady()
    wasReady = true
  }

  function suspend(): void {
    if (process.platform === 'win32') return
    release()
    // The whole group, as the terminal does it: npm and npx, which run it, are in it too.
    process.kill(0, 'SIGTSTP')
  }

  // A terminal that is closed needs no answer.
  stdin.on('error', () => undefined)
  emitKeypressEvents(stdin)
  stdin.on('keypress', (_text: unknown, key: Key) => {
    if (key.ctrl && key.name === 'c') onInterrupt()
    else if (key.ctrl && key.name === 'z') suspend()
    else onKey(key)
  })
  process.on('SIGCONT', () => void engage())
  process.on('exit', release)
  void engage()
}
