import { decision } from '../contract/decisions.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Answer } from '../contract/handler.ts'
import type { Preferences } from '../http/request-headers.ts'
import type { FindExample } from './answer.ts'

/** Whether a resource's id and key are returned in headers or in the body (D5). */
export const identities = ['header', 'body'] as const
export type Identity = (typeof identities)[number]

/** An answer that a request preferred, and the preferences that it honours (RFC 7240, section 3). */
export interface Preferred {
  readonly answer: Answer
  readonly applied: readonly string[]
}

/** What a preference is weighed with. */
export interface PreferredParts {
  readonly endpoint: Endpoint
  readonly preferences: Preferences
  readonly identity: Identity
  readonly seed: number
  /** The operation, and its path parameters: the same ones get the same made body. */
  readonly operation: string
  readonly path: Readonly<Record<string, string>>
  /** The path at which a resource is found. */
  readonly locate: (resource: { readonly id: string }) => string
  readonly findExample: FindExample
}

export const findResponse = ({ responses }: Endpoint, status: number) => responses[status]

/** The status that is asked for, where it is one of an answer. */
export function parseCode(preferences: Preferences): number | undefined {
  const code = preferences.get('code')
  return code !== undefined && /^[2-5]\d\d$/.test(code) ? Number(code) : undefined
}

/** The preference for bodies with identity, where it is honoured: only what answers with a resource can (D5). */
export const applyIdentity = ({ decisions }: Endpoint, preferences: Preferences): readonly string[] =>
  preferences.get('identity') === 'body' && decisions.includes(decision('D5')) ? ['identity=body'] : []
