import { REDACTED } from '../../../../../sessions/journal/redact.ts'
import type { JournalEntry } from '../../../../../sessions/journal/wiremock-json.ts'
import type { OperationObject, ParameterObject } from '../../../../../service/openapi/schemas.ts'
import { findVersionIn } from '../data/projects.ts'
import { findIn, findJsonTree, toPrettyJson, toPrettyText } from '../../parts/json-tree.ts'

/** An operation of the contract, with an example. */
export interface SentOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Any one of them suffices; none means any token. */
  readonly scopes: readonly string[]
  /** The path with example parameters. */
  readonly examplePath: string
  /** Required headers with their examples, as `name: value`. */
  readonly headers: readonly string[]
  readonly body: string
  /** Content types of an image that is the body. */
  readonly images: readonly string[]
  /** Those of the service: all but the headers that the mock reads. */
  readonly parameters: readonly OperationParameter[]
}

interface OperationParameter {
  readonly name: string
  readonly place: string
  readonly isRequired: boolean
  readonly description: string
}

/** A request as it is edited. */
export interface RequestDraft {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** `name: value`, one per line. */
  readonly headers: string
  readonly body: string
  /** A scope, `all` or `none`. An Authorization header among the headers replaces it. */
  readonly token: string
  /** Names for `X-Mock-Scenario`; empty for the active ones of the session. */
  readonly scenario: string
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly parameters: Readonly<Record<string, ParameterObject>> }
}

/** The operations of an OpenAPI document. */
export function listSentOperations(text: string): readonly SentOperation[] {
  const { paths, components } = JSON.parse(text) as OpenApi
  const tree = findJsonTree(text, Infinity)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, parameters, requestBody }]) => {
      const all = parameters
        .map((one) => ('$ref' in one ? components.parameters[one.$ref.split('/').at(-1) ?? ''] : one))
        .filter((one) => one !== undefined)
      const required = all
        .filter((one) => one.required === true)
        .map((one) => ({ place: one.in, name: one.name, example: String(one.example) }))
      const types = Object.keys(requestBody?.content ?? {})
      // From the text, since `JSON.parse` rounds large integers.
      const body = findIn(tree, 'paths', path, method, 'requestBody', 'content', types[0] ?? '', 'example')
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        scopes: security.flatMap(({ oauth2 }) => oauth2).map((scope) => scope.replace(/:.*/, '')),
        examplePath: path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
          encodeURIComponent(required.find((one) => one.name === name)?.example ?? ''),
        ),
        headers: required.filter(({ place }) => place === 'header').map(({ name, example }) => `${name}: ${example}`),
        body: body === undefined ? '' : toPrettyJson(body),
        images: types.filter((type) => type.startsWith('image/')),
        parameters: all
          .filter(({ name }) => !/^X-(?:Mock|Correlation)-/i.test(name))
          .map(({ name, in: place, required: isRequired = false, description = '' }) => ({
            name,
            place,
            isRequired,
            description,
          })),
      }
    }),
  )
}

/** OpenAPI leaves these headers to the types of bodies, but an operation that requires headers may require them too. */
const TYPES = ['Accept: application/json', 'Content-Type: application/json']

/** A draft of an operation's example. */
export const toExample = ({ method, examplePath, headers, body, scopes }: SentOperation): RequestDraft => ({
  method,
  url: examplePath,
  headers: [...headers, ...(body === '' && headers.length === 0 ? [] : TYPES)].join('\n'),
  body,
  token: scopes[0] ?? 'all',
  scenario: '',
})

/** What the resent request gets in place of a secret; the mock accepts any by default. */
const fillRedacted = (text: string): string => text.replaceAll(REDACTED, 'any-secret')

/** Headers that are fields of their own, or that the browser and the mock set. */
const OTHER_OPERATIONS =
  /^(?:authorization|x-mock-scenario|x-mock-session|x-correlation-id|host|connection|user-agent|content-length|accept-encoding|sec-.*)$/

/** A draft of a request in the journal, with placeholders for its secrets. */
export function toRequestDraft({ session, scopes, ...request }: JournalEntry): RequestDraft {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const)
  const read = (wanted: string): string => headers.find(([name]) => name === wanted)?.[1] ?? ''
  const prefix = `/@${session}/`
  const given = read('authorization')
  // A token may be the list of its scopes.
  const bearer = scopes && `Bearer ${scopes.join(',')}`
  const filled = given.startsWith('Basic ') ? `Basic ${btoa('any-client:any-secret')}` : bearer
  const authorization = given.includes(REDACTED) ? filled : given
  const url = fillRedacted(request.url)
  return {
    method: request.method,
    url: url.startsWith(prefix) ? url.slice(prefix.length - 1) : url,
    headers: [
      ...(authorization ? [['authorization', authorization] as const] : []),
      ...headers.filter(([name, value]) => !OTHER_OPERATIONS.test(name) && !value.includes(REDACTED)),
    ]
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    body: toPrettyText(fillRedacted(request.body)),
    token: given === '' ? 'none' : 'all',
    scenario: read('x-mock-scenario'),
  }
}

/**
 * The headers of a draft, by lower-case name.
 *
 * @throws {Error} for a line without a name.
 */
export function toDraftHeaders({ headers, token, scenario, url }: RequestDraft): Readonly<Record<string, string>> {
  const lines = headers.split('\n').filter((line) => line.trim() !== '')
  const own = lines.map((line) => {
    const at = line.indexOf(':')
    if (at > 0) return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const
    throw new Error(`The header "${line.slice(0, 100)}" has no name. Write one "name: value" per line.`)
  })
  // The path may start with a region and a cloud provider.
  const project = /^(?:.*\/)?([^/]+)\/resource(?:[/?]|$)/.exec(url.split('?', 1)[0] ?? '')?.[1] ?? ''
  const bearer = token === 'all' ? 'any-token' : `${token}:${decodeURIComponent(project)}`
  return {
    ...(token === 'none' ? {} : { authorization: `Bearer ${bearer}` }),
    ...(scenario === '' ? {} : { 'x-mock-scenario': scenario }),
    ...Object.fromEntries(own),
  }
}

/** The version that a draft sends, in its body or its URL. */
const SENT_VERSION = /("version"\s*:\s*|[?&]version=)\d+/

/** Where the admin API has the record of the resource whose version a draft sends. */
export function findRecordPath({ url, body }: RequestDraft): string | undefined {
  const [path = ''] = url.split('?')
  const { projectKey, id } = /^\/(?<projectKey>[^/]+)\/resource\/(?<id>[\da-f-]{36})$/.exec(path)?.groups ?? {}
  return SENT_VERSION.test(body) || SENT_VERSION.test(url) ? id && `/state/${projectKey}/resources/${id}` : undefined
}

/** A draft that sends the version of a record. */
export function withCurrentVersion(draft: RequestDraft, record: string | undefined): RequestDraft {
  const version = record === undefined ? undefined : findVersionIn(record)
  if (version === undefined) return draft
  const fill = (text: string): string => text.replace(SENT_VERSION, `$1${version}`)
  return { ...draft, url: fill(draft.url), body: fill(draft.body) }
}
