import { problem } from '../errors.ts'
import { REQUEST_LIMITS, parseJson } from '../http/json.ts'
import type { AdminRequest, Handle, Methods, Routes } from '../admin/route.ts'

/**
 * A request to the admin API as a form writes it: `PUT /scenarios/active {"active":[]}`. A `{name}` of its path, or a
 * body that is one, stands for the form's field of that name.
 */
export type AdminCall = string

/** An admin call, ready to run. */
export interface PreparedCall {
  /** Method and path as the API's routes have them, such as `DELETE /snapshots/:name`. */
  readonly route: string
  /** The path and query that it is about. */
  readonly target: string
  /** The request that the API is asked with. */
  readonly request: AdminRequest
  readonly run: () => Response | Promise<Response>
}

interface Found {
  readonly template: string
  readonly handle: Handle
  readonly parameters: Readonly<Record<string, string>>
}

const STEP = /^(GET|PUT|POST|DELETE) (\/\S*)(?: ([^]*))?$/

/** A malformed encoding, as in a form that was tampered with, names nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function findHandle(routes: Routes, method: string, path: string): Found | undefined {
  const segments = path.split('/')
  for (const [template, methods] of Object.entries(routes)) {
    const wanted = template.split('/')
    if (wanted.length !== segments.length) continue
    if (!wanted.every((one, at) => one.startsWith(':') || one === segments[at])) continue
    const handle = methods[method as keyof Methods]
    if (handle === undefined) return undefined
    const named = wanted.flatMap((one, at) =>
      one.startsWith(':') ? [[one.slice(1), decode(segments[at] ?? '')] as const] : [],
    )
    return { template, handle, parameters: Object.fromEntries(named) }
  }
  return undefined
}

/**
 * Finds the handler of the admin API for a call.
 *
 * @throws {Problem} 400 for a call that the API does not have.
 */
export function prepareCall(
  step: AdminCall,
  fields: URLSearchParams,
  request: AdminRequest,
  routes: Routes,
): PreparedCall {
  const [, method = '', target = '', template = ''] = STEP.exec(step) ?? []
  const fieldOf = (name: string): string => fields.get(name) ?? ''
  const [pathTemplate = '', search = ''] = target.split('?')
  const path = pathTemplate.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(fieldOf(name)))
  const found = findHandle(routes, method, path)
  if (found === undefined) {
    throw problem.invalidInput(
      `Unknown step ${JSON.stringify(step.slice(0, 200))}. GET /__admin lists the paths of the admin API.`,
    )
  }
  const body = /^\{\w+\}$/.test(template) ? fieldOf(template.slice(1, -1)) : template
  const asked: AdminRequest = {
    ...request,
    method,
    parameters: found.parameters,
    query: new URLSearchParams(search),
    readJson: async (limits = REQUEST_LIMITS) => parseJson(body, limits),
    readText: async () => body,
  }
  return {
    route: `${method} ${found.template}`,
    target: search === '' ? path : `${path}?${search}`,
    request: asked,
    run: () => found.handle(asked),
  }
}
