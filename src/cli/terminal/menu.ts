import { didYouMean } from '../../util/did-you-mean.ts'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { emitKeypressEvents } from 'node:readline'
import type { LineWriter } from '../log.ts'
import type { Mock } from '../../mock.ts'
import type { RequestLog } from '../../journal/request-log.ts'
import type { ReadStream } from 'node:tty'

/** What was typed where scenarios are asked for. */
export type Choice =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'chosen'; readonly names: readonly string[] }
  | { readonly kind: 'unclear'; readonly sentence: string }

/** The names that a number, a name or a part of a name may mean. */
export function findMeant(part: string, names: readonly string[]): readonly string[] {
  const numbered = /^\d+$/.test(part) ? names[Number(part) - 1] : undefined
  if (numbered !== undefined) return [numbered]
  if (names.includes(part)) return [part]
  return names.filter((name) => name.toLowerCase().includes(part.toLowerCase()))
}

const isNone = (part: string | undefined): boolean => part === '0' || part === 'none'

/** Numbers, names or parts of names, in the order in which they stack; `0` and `none` are no scenario at all. */
export const toParts = (typed: string): readonly string[] => typed.split(/[\s,]+/).filter((part) => part !== '')

/** Reads what was typed. */
export function parseChoice(typed: string, names: readonly string[]): Choice {
  const parts = toParts(typed)
  if (parts.length === 0) return { kind: 'unchanged' }
  if (parts.length === 1 && isNone(parts[0])) return { kind: 'chosen', names: [] }
  const chosen: string[] = []
  for (const part of parts) {
    const [name, ...others] = findMeant(part, names)
    if (name === undefined) {
      return { kind: 'unclear', sentence: `No scenario is called ${JSON.stringify(part)}.${didYouMean(part, names)}` }
    }
    if (others.length > 0) {
      const sentence = `${JSON.stringify(part)} may be ${[name, ...others].join(', ')}. Type more of it, or its number.`
      return { kind: 'unclear', sentence }
    }
    chosen.push(name)
  }
  return { kind: 'chosen', names: chosen }
}

interface MenuParts {
  readonly scenarios: readonly ListedScenario[]
  readonly active: readonly string[]
  readonly writer: Pick<LineWriter, 'write' | 'prompt'>
  /** The terminal's width in characters. */
  readonly columns: number
  /** Called once, with the names that were chosen; undefined: it stays as it is. */
  readonly onEnd: (names: readonly string[] | undefined) => Promise<void> | undefined
}

const LABEL = 'Number or name, several stack, 0 for none > '

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`

/** Every scenario on a line of its own, the active ones marked. */
function toLines({ scenarios, active, columns }: MenuParts): readonly string[] {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  return scenarios.map(({ name, description }, at) => {
    const mark = active.includes(name) ? '*' : ' '
    return cut(`${mark} ${String(at + 1).padStart(2)}  ${name.padEnd(width)}  ${description}`, columns)
  })
}

/** Shows the scenarios and asks which are to be active; returns what takes the keys until it is answered. */
export function openMenu(parts: MenuParts): (key: Key) => Promise<void> | undefined {
  const { scenarios, writer, columns, onEnd } = parts
  const names = scenarios.map(({ name }) => name)
  let typed = ''

  function draw(): void {
    const last = toParts(typed).at(-1)
    const meant = last === undefined || /[\s,]$/.test(typed) ? [] : findMeant(last, names)
    const room = columns - LABEL.length - typed.length - 1
    const hint = meant.length === 0 ? '' : cut(`  ${meant.join(', ')}`, room)
    // The cursor goes back to where typing goes on (ECMA-48, CUB).
    const back = hint === '' ? '' : `\u001B[2m${hint}\u001B[22m\u001B[${hint.length}D`
    writer.prompt(LABEL + typed + back)
  }

  function end(chosen: readonly string[] | undefined): Promise<void> | undefined {
    writer.prompt('')
    return onEnd(chosen)
  }

  function enter(): Promise<void> | undefined {
    const choice = parseChoice(typed, names)
    if (choice.kind !== 'unclear') return end(choice.kind === 'chosen' ? choice.names : undefined)
    writer.write(choice.sentence)
    typed = ''
    draw()
    return undefined
  }

  function type({ name, ctrl, sequence }: Key): void {
    if (name === 'backspace') typed = typed.slice(0, -1)
    else if (ctrl && name === 'u') typed = ''
    else if (/^[\w.,\- ]$/.test(sequence) && typed.length < columns - LABEL.length - 2) typed += sequence
    draw()
  }

  for (const line of toLines(parts)) writer.write(line)
  draw()

  return function press(key) {
    if (key.name === 'escape') return end(undefined)
    if (key.name === 'return' || key.name === 'enter') return enter()
    type(key)
    return undefined
  }
}

/** Marks the requests that the terminal's keys make. */
const CORRELATION_ID = 'resource-mock-terminal'

/** Whether a key made a request, so that it needs no line of the log. */
export const isMadeByKey = ({ correlationId }: RequestLog): boolean => correlationId === CORRELATION_ID

/** A scenario as the admin API lists it. */
export interface ListedScenario {
  readonly name: string
  readonly description: string
}

/** What the keys ask of the admin API, in the default session. */
export interface Admin {
  scenarios(): Promise<{ readonly active: readonly string[]; readonly scenarios: readonly ListedScenario[] }>
  activate(names: readonly string[]): Promise<void>
  reset(): Promise<void>
}

/** Calls the admin API of a mock in this process, without a socket. */
export function createAdmin(mock: Pick<Mock, 'fetch'>, token: string | undefined): Admin {
  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await mock.fetch(
      new Request(`http://127.0.0.1/__admin${path}`, {
        method,
        headers: {
          'X-Correlation-ID': CORRELATION_ID,
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    if (!response.ok) throw new Error(`${method} /__admin${path} answered ${response.status}: ${await response.text()}`)
    return response
  }

  return {
    async scenarios() {
      const response = await call('GET', '/scenarios')
      // The mock's own answer, whose shape its tests hold.
      return (await response.json()) as Awaited<ReturnType<Admin['scenarios']>>
    },
    async activate(names) {
      await call('PUT', '/scenarios/active', { active: names })
    },
    async reset() {
      await call('POST', '/reset')
    },
  }
}

/** proc(5): after the command in parentheses come state, parent, process group, session, terminal, its foreground group. */
async function isForegroundOnLinux(): Promise<boolean> {
  const text = await readFile('/proc/self/stat', 'utf8')
  const [, , group, , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return foreground === group || foreground === '-1'
}

/** POSIX `ps` marks who is in the foreground with a plus. */
async function isForegroundBesides(): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(process.pid)])
  return stdout.includes('+')
}

/**
 * Whether the terminal is this process's to read from: the system stops one in the background (`resource-mock &`) that
 * tries. Where there is no telling, it is not.
 */
export async function isForeground(): Promise<boolean> {
  if (process.platform === 'win32') return true
  try {
    return process.platform === 'linux' ? await isForegroundOnLinux() : await isForegroundBesides()
  } catch {
    return false
  }
}

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
