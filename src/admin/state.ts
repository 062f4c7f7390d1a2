import { problem } from '../errors.ts'
import type { Events } from '../sessions/events.ts'
import { toBaseUrlName } from '../http/address.ts'
import { parseJson } from '../http/json.ts'
import { pause } from '../query/effort.ts'
import type { Session } from '../sessions/session.ts'
import type { Fixtures } from '../state/fixtures.ts'
import { toProjectText } from '../state/project-record.ts'
import { StateFault } from '../state/state-fault.ts'
import { parseProject, parseSession, toSessionText } from '../state/state-text.ts'
import type { ProjectName, Store } from '../state/store.ts'
import { ADMIN_PATH, parameterOf, toJson, toJsonText } from './route.ts'
import type { AdminRequest, Routes } from './route.ts'

interface StateParts {
  readonly store: Store
  readonly fixtures: () => Fixtures
  readonly events: Events
  /** The largest JSON body in bytes. */
  readonly maxBody: number
}

/** A state holds images, so that it is larger than other bodies: at least this many bytes are taken. */
const MAX_STATE = 64 * 1024 * 1024

/**
 * The project of a request; its base URL is given by the query, or else by the address that the request was sent to.
 *
 * @throws {Problem} 400 for half a base URL, and for a key that no project can have.
 */
export function readProjectName(request: AdminRequest): ProjectName {
  const projectKey = parameterOf(request, 'projectKey')
  if (`/${projectKey}` === ADMIN_PATH) {
    throw problem.invalidField({
      field: 'projectKey',
      message: `No project can be named ${projectKey}: its paths are the admin API's own. Name another one.`,
      invalidValue: projectKey,
    })
  }
  const region = request.query.get('region')
  const cloudProvider = request.query.get('cloudProvider')
  if (region === null && cloudProvider === null) return { baseUrl: toBaseUrlName(request.baseUrl), projectKey }
  if (region !== null && cloudProvider !== null)
    return { baseUrl: toBaseUrlName({ region, cloudProvider }), projectKey }
  const [missing, given] = region === null ? ['region', 'cloudProvider'] : ['cloudProvider', 'region']
  throw problem.requiredField(missing, `The parameter ${given} needs ${missing}. Send both, or neither.`)
}

/** Checking a longer text takes a turn of the event loop for itself, in characters. */
const LONG_TEXT = 100_000

async function parseStateJson(text: string): Promise<unknown> {
  const body = parseJson(text)
  if (text.length > LONG_TEXT) await pause()
  return body
}

/** Reads a state; nothing is changed by one that is wrong. */
function readState<State>(read: () => State): State {
  try {
    return read()
  } catch (fault) {
    if (fault instanceof StateFault) throw problem.invalidInput(`Malformed state: ${fault.message}`)
    throw fault
  }
}

/** The whole state of a session, out and in. */
export function createStateRoutes({ store, fixtures, events, maxBody }: StateParts): Routes {
  const limit = Math.max(maxBody, MAX_STATE)

  async function answer({ name }: Session, project?: ProjectName): Promise<Response> {
    await store.commit()
    events.publish({ kind: 'state', session: name, ...(project === undefined ? {} : { project }) })
    return toJson({})
  }

  return {
    '/state': {
      GET: ({ session: { name } }) => toJsonText(toSessionText(store.written(name))),
      async PUT({ session, readText }) {
        const body = await parseStateJson(await readText(limit))
        store.replaceSession(
          session.name,
          readState(() => parseSession(body, fixtures().action)),
        )
        return answer(session)
      },
    },
    '/state/:projectKey': {
      GET(request) {
        const name = readProjectName(request)
        return toJsonText(toProjectText(name, store.access(request.session.name, name).read()))
      },
      async PUT(request) {
        const name = readProjectName(request)
        const body = await parseStateJson(await request.readText(limit))
        store.replaceProject(
          request.session.name,
          name,
          readState(() => parseProject(body, fixtures().action)),
        )
        return answer(request.session, name)
      },
      DELETE(request) {
        const name = readProjectName(request)
        store.replaceProject(request.session.name, name, undefined)
        return answer(request.session, name)
      },
    },
  }
}
