import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { emitKeypressEvents } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'
import { promisify } from 'node:util'
import { createAdminClient } from '../../admin/client/admin-client.ts'
import { endpoints } from '../../service/contract/endpoints.ts'
import type { RunningServer } from '../node/server.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { KEY_CORRELATION_ID } from './log.ts'
import type { LineWriter, Log } from './log.ts'

/** The response to the scenario prompt. */
type Choice =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'chosen'; readonly names: readonly string[] }
  | { readonly kind: 'unclear'; readonly sentence: string }

/** Finds the scenario names that match a number, a name or part of a name. */
function findMeant(part: string, names: readonly string[]): readonly string[] {
  const numbered = /^\d+$/.test(part) ? names[Number(part) - 1] : undefined
  if (numbered !== undefined) return [numbered]
  if (names.includes(part)) return [part]
  return names.filter((name) => name.toLowerCase().includes(part.toLowerCase()))
}

const isNone = (part: string | undefined): boolean => part === '0' || part === 'none'

/** Splits the input into numbers, names or parts of names, in stacking order. */
const splitNames = (typed: string): readonly string[] => typed.split(/[\s,]+/).filter((part) => part !== '')

/** Parses the response; `0` and `none` deactivate all scenarios. */
export function parseChoice(typed: string, names: readonly string[]): Choice {
  const parts = splitNames(typed)
  if (parts.length === 0) return { kind: 'unchanged' }
  if (parts.length === 1 && isNone(parts[0])) return { kind: 'chosen', names: [] }
  const chosen: string[] = []
  for (const part of parts) {
    const [name, ...others] = findMeant(part, names)
    if (name === undefined)
      return { kind: 'unclear', sentence: `Unknown scenario ${JSON.stringify(part)}.${didYouMean(part, names)}` }
    if (others.length > 0) {
      const sentence = `${JSON.stringify(part)} matches ${[name, ...others].join(', ')}. Type more of the name, or use its number.`
      return { kind: 'unclear', sentence }
    }
    chosen.push(name)
  }
  return { kind: 'chosen', names: chosen }
}

/** The scenarios as listed by the admin API. */
interface ListedScenarios {
  readonly active: readonly string[]
  readonly scenarios: readonly { readonly name: string; readonly description: string }[]
}

const LABEL = 'Number or name, several to stack, 0 for none > '

const cutToWidth = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`

/** Formats one line per scenario, with an asterisk if it is active. */
function toListLines({ scenarios, active }: ListedScenarios, columns: number): readonly string[] {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  return scenarios.map(({ name, description }, at) => {
    const mark = active.includes(name) ? '*' : ' '
    return cutToWidth(`${mark} ${String(at + 1).padStart(2)}  ${name.padEnd(width)}  ${description}`, columns)
  })
}

/**
 * Lists the scenarios and prompts for those to activate. Returns a function that handles keys until the prompt closes.
 *
 * @param columns the terminal's width in characters
 * @param onEnd called once, with the chosen names, or undefined to change nothing
 */
function openMenu(
  list: ListedScenarios,
  columns: number,
  writer: Pick<LineWriter, 'write' | 'prompt'>,
  onEnd: (names: readonly string[] | undefined) => Promise<void> | undefined,
): (key: Key) => Promise<void> | undefined {
  const names = list.scenarios.map(({ name }) => name)
  let typed = ''

  function draw(): void {
    const last = splitNames(typed).at(-1)
    const meant = last === undefined || /[\s,]$/.test(typed) ? [] : findMeant(last, names)
    const width = columns - LABEL.length - typed.length - 1
    const hint = meant.length === 0 ? '' : cutToWidth(`  ${meant.join(', ')}`, width)
    // Moves the cursor back to the end of the input (ECMA-48, CUB).
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

  for (const line of toListLines(list, columns)) writer.write(line)
  draw()

  return function press(key) {
    if (key.name === 'escape') return end(undefined)
    if (key.name === 'return' || key.name === 'enter') return enter()
    type(key)
    return undefined
  }
}

/**
 * Whether this process can read from the terminal: the system suspends a background process (`resource-mock &`) that tries.
 * False if unknown.
 */
async function isForeground(): Promise<boolean> {
  if (process.platform === 'win32') return true
  try {
    if (process.platform !== 'linux') {
      // POSIX `ps` marks foreground processes with a plus.
      const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(process.pid)])
      return stdout.includes('+')
    }
    // proc(5): the command in parentheses is followed by state, parent, process group, session, terminal and its foreground
    // group.
    const text = await readFile('/proc/self/stat', 'utf8')
    const [, , group, , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return foreground === group || foreground === '-1'
  } catch {
    return false
  }
}

/** A keypress as reported by `node:readline`. */
interface Key {
  /** The characters that the key sends; several for keys such as arrows. */
  readonly sequence: string
  readonly name?: string | undefined
  readonly ctrl: boolean
}

/**
 * Reads single keypresses from a terminal while this process is in the foreground, and restores the terminal on exit or
 * Ctrl-Z.
 *
 * @param on.ready called once, when key reading first starts
 * @param on.interrupt called for Ctrl-C, which raises no signal in raw mode
 */
function readKeys(
  stdin: ReadStream,
  on: { readonly ready: () => void; readonly key: (key: Key) => void; readonly interrupt: () => void },
): void {
  let wasReady = false

  function release(): void {
    stdin.setRawMode(false)
    stdin.pause()
  }

  async function engage(): Promise<void> {
    if (!(await isForeground())) return
    stdin.setRawMode(true)
    stdin.resume()
    if (!wasReady) on.ready()
    wasReady = true
  }

  function suspend(): void {
    if (process.platform === 'win32') return
    release()
    // Signals the whole group, as the terminal does, since npm and npx belong to it.
    process.kill(0, 'SIGTSTP')
  }

  // The terminal is closed.
  stdin.on('error', () => undefined)
  emitKeypressEvents(stdin)
  stdin.on('keypress', (_text: unknown, key: Key) => {
    if (key.ctrl && key.name === 'c') on.interrupt()
    else if (key.ctrl && key.name === 'z') suspend()
    else on.key(key)
  })
  process.on('SIGCONT', () => void engage())
  process.on('exit', release)
  void engage()
}

/** The command that opens a URL on this platform; undefined without a display. */
export function findOpener(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): readonly [command: string, ...args: string[]] | undefined {
  if (platform === 'darwin') return ['open']
  // Not `start`: cmd would parse the URL as part of the command line.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasScreen = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((display) => display !== undefined && display !== '')
  return hasScreen ? ['xdg-open'] : undefined
}

/** Opens the mock's dashboard in the user's browser, if available, with the admin token. The URL is also logged. */
export function openDashboard(url: string, adminToken: string | undefined): void {
  const opener = findOpener(process.platform, process.env)
  if (opener === undefined) return
  const [command, ...args] = opener
  const query = adminToken === undefined ? '' : `?token=${encodeURIComponent(adminToken)}`
  const child = spawn(command, [...args, `${url}/__admin${query}`], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

/** Fallback for terminals that do not report their width. */
const DEFAULT_COLUMNS = 80

/** Lets the user control the running mock with single keys. */
export function openTerminal(parts: {
  readonly stdin: ReadStream
  readonly stderr: WriteStream
  readonly writer: LineWriter
  readonly log: Log
  readonly server: Pick<RunningServer, 'url' | 'mock'>
  readonly adminToken: string | undefined
  readonly onQuit: () => void
  readonly onInterrupt: () => void
}): void {
  const { stderr, writer, log, server, adminToken } = parts
  /** Sends a request to the admin API in the default session, without a socket. */
  const admin = createAdminClient({
    baseUrl: 'http://127.0.0.1',
    token: adminToken,
    send(request) {
      request.headers.set('X-Correlation-ID', KEY_CORRELATION_ID)
      return server.mock.fetch(request)
    },
  })
  /** Handles keys while the prompt is open. */
  let question: ReturnType<typeof openMenu> | undefined

  async function activate(names: readonly string[]): Promise<void> {
    await admin.send('PUT', '/scenarios/active', { active: names })
    writer.write(names.length === 0 ? 'No active scenarios.' : `Active: ${names.join(', ')}`)
  }

  const commands: Readonly<Record<string, { readonly about: string; readonly run: () => Promise<void> | void }>> = {
    s: {
      about: 'choose the scenarios of the default session',
      async run() {
        // The mock's own response; tests check its shape.
        const list = (await admin.send('GET', '/scenarios')) as ListedScenarios
        question = openMenu(list, stderr.columns > 0 ? stderr.columns : DEFAULT_COLUMNS, writer, (names) => {
          question = undefined
          return names === undefined ? undefined : activate(names)
        })
      },
    },
    r: {
      about: 'reset the default session: data, scenarios, journal',
      async run() {
        await admin.send('POST', '/reset')
        writer.write('Default session reset: data, scenarios, journal.')
      },
    },
    o: {
      about: 'open the dashboard in the browser',
      run() {
        const hint = adminToken === undefined ? '' : ' (prompts once for ?token= and the admin token)'
        writer.write(`Dashboard: ${server.url}/__admin${hint}`)
        openDashboard(server.url, adminToken)
      },
    },
    e: {
      about: 'list the endpoints',
      run() {
        for (const { method, path, summary } of Object.values(endpoints)) {
          writer.write(`  ${method.padEnd(6)} ${path}  ${summary}`)
        }
      },
    },
    h: {
      about: 'this help',
      run() {
        for (const [key, { about }] of Object.entries(commands)) writer.write(`  ${key}  ${about}`)
      },
    },
    q: { about: 'quit once in-flight requests have finished', run: parts.onQuit },
  }

  async function press(key: Key): Promise<void> {
    if (question !== undefined) await question(key)
    else if (!key.ctrl) await commands[key.name ?? '']?.run()
  }

  /** Processes keys in order, so that type-ahead goes to the right prompt. */
  let pressed = Promise.resolve()
  readKeys(parts.stdin, {
    ready: () => log.note?.('Keys: s scenario, r reset, o dashboard, e endpoints, h help, q quit'),
    key(key) {
      pressed = pressed.then(() => press(key)).catch(log.fault)
    },
    interrupt() {
      writer.prompt('')
      parts.onInterrupt()
    },
  })
}
