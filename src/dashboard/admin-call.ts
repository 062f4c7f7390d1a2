import type { Hono } from 'hono'
import type { AdminEnv, AdminRequest } from '../admin/request.ts'
import { problem } from '../errors.ts'
import { decodePercent } from '../http/request-head.ts'
import { parseJsonBody } from '../http/json.ts'
import { REQUEST_LIMITS } from '../http/json-problems.ts'

/**
 * A request to the admin API as a form writes it: `PUT /scenarios/active {"active":[]}`. In its path, or as the whole body,
 * `{name}` is replaced by the form's field of that name.
 */
export type AdminCall = string

/** An admin call, ready to run. */
export interface PreparedCall {
  /** Method and path as the API's routes have them, such as `DELETE /snapshots/:name`. */
  readonly route: string
  /** From the path. */
  readonly parameters: Readonly<Record<string, string>>
  readonly target: string
  /** The request that the API gets. */
  readonly request: AdminRequest
  /** @param precondition checked again at the moment of a write */
  readonly run: (precondition?: () => void) => Promise<Response>
}

const STEP = /^(GET|PUT|POST|DELETE) (\/\S*)(?: ([^]*))?$/

/** Finds the route of a call by the API's own router. */
function findRoute(
  api: Hono<AdminEnv>,
  method: string,
  path: string,
): Pick<PreparedCall, 'route' | 'parameters'> | undefined {
  const [first] = api.router.match(method, path)[0]
  if (first === undefined) return undefined
  const [[, { method: routed, path: template }], found] = first
  if (routed === 'ALL') return undefined
  const parameters = Object.entries(found).map(([name, value]) => [name, decodePercent(String(value))] as const)
  return { route: `${method} ${template}`, parameters: Object.fromEntries(parameters) }
}

/**
 * Prepares a call to the admin API.
 *
 * @throws {Problem} 400 for a call that the API does not have.
 */
export function prepareCall(
  step: AdminCall,
  fields: URLSearchParams,
  request: AdminRequest,
  api: Hono<AdminEnv>,
): PreparedCall {
  const [, method = '', target = '', template = ''] = STEP.exec(step) ?? []
  const fieldOf = (name: string): string => fields.get(name) ?? ''
  const [pathTemplate = '', search = ''] = target.split('?')
  const path = pathTemplate.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(fieldOf(name)))
  const found = findRoute(api, method, path)
  if (found === undefined) {
    throw problem.invalidInput(
      `Unknown step ${JSON.stringify(step.slice(0, 200))}. GET /__admin lists the paths of the admin API.`,
    )
  }
  const body = /^\{\w+\}$/.test(template) ? fieldOf(template.slice(1, -1)) : template
  const useJson: AdminRequest['useJson'] = async ({ limits = REQUEST_LIMITS, isOptional = false }, use) =>
    use({ text: body, value: isOptional && body === '' ? undefined : await parseJsonBody(body, limits) })
  const admin: AdminRequest = {
    ...request,
    method,
    query: new URLSearchParams(search),
    useJson,
    readJson: (limits = REQUEST_LIMITS) => useJson({ limits }, ({ value }) => value),
  }
  return {
    ...found,
    target: search === '' ? path : `${path}?${search}`,
    request: admin,
    run: async (precondition) =>
      api.fetch(new Request(`http://mock${path}`, { method }), {
        exchange: admin.exchange,
        admin: precondition === undefined ? admin : { ...admin, precondition },
      }),
  }
}
