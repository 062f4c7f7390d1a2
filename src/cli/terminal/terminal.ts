import type { ReadStream, WriteStream } from 'node:tty'
import { endpoints } from '../../contract/endpoints.ts'
import type { RunningServer } from '../../node/server.ts'
import type { LineWriter, Log } from '../log.ts'
import { createAdmin, readKeys, openMenu } from './menu.ts'
import { openDashboard } from './browser.ts'
import type { Key } from './menu.ts'

interface TerminalParts {
  readonly stdin: ReadStream
  readonly stderr: WriteStream
  readonly writer: LineWriter
  readonly log: Log
  readonly server: Pick<RunningServer, 'url' | 'mock'>
  readonly adminToken: string | undefined
  readonly onQuit: () => void
  readonly onInterrupt: () => void
}

/** Where a terminal does not tell how wide it is. */
const USUAL_COLUMNS = 80

interface Command {
  readonly about: string
  readonly run: () => Promise<void> | void
}

/** Lets the user control the running mock by single keys in the terminal. */
export function openTerminal({
  stdin,
  stderr,
  writer,
  log,
  server,
  adminToken,
  onQuit,
  onInterrupt,
}: TerminalParts): void {
  const admin = createAdmin(server.mock, adminToken)
  /** What takes the keys while a question is open. */
  let question: ReturnType<typeof openMenu> | undefined

  async function activate(names: readonly string[]): Promise<void> {
    await admin.activate(names)
    writer.write(names.length === 0 ? 'No scenario is active.' : `Active: ${names.join(', ')}`)
  }

  const commands: Readonly<Record<string, Command>> = {
    s: {
      about: 'choose the scenarios of the default session',
      async run() {
        const { active, scenarios } = await admin.scenarios()
        question = openMenu({
          scenarios,
          active,
          writer,
          columns: stderr.columns > 0 ? stderr.columns : USUAL_COLUMNS,
          onEnd(names) {
            question = undefined
            return names === undefined ? undefined : activate(names)
          },
        })
      },
    },
    r: {
      about: 'reset the default session: data, scenarios, journal',
      async run() {
        await admin.reset()
        writer.write('The default session is as it was at the start: data, scenarios, journal.')
      },
    },
    o: {
      about: 'open the dashboard in the browser',
      run() {
        const hint = adminToken === undefined ? '' : ' (asks once for ?token= and the admin token)'
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
    q: { about: 'quit; requests under way are answered first', run: onQuit },
  }

  async function press(key: Key): Promise<void> {
    if (question !== undefined) await question(key)
    else if (!key.ctrl) await commands[key.name ?? '']?.run()
  }

  /** One after the other, so that what is typed ahead meets the question that it answers. */
  let pressed = Promise.resolve()
  function onKey(key: Key): void {
    pressed = pressed.then(() => press(key)).catch(log.fault)
  }

  readKeys({
    stdin,
    onReady: () => log.note?.('Keys: s scenario, r reset, o dashboard, e endpoints, h help, q quit'),
    onKey,
    onInterrupt() {
      writer.prompt('')
      onInterrupt()
    },
  })
}
