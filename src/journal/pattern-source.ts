import type { OperationId } from '../contract/endpoints.ts'

/**
 * What a text of a request is held against: exactly one of these. A regular expression must match the whole text.
 *
 * @example { contains: 'linen' }
 */
export type ValuePatternSource =
  | { readonly equalTo: string; readonly caseInsensitive?: boolean }
  | { readonly contains: string }
  | { readonly doesNotContain: string }
  | { readonly matches: string }
  | { readonly doesNotMatch: string }
  | { readonly absent: boolean }
  | {
      /** A JSON value, or JSON text. */
      readonly equalToJson: unknown
      readonly ignoreArrayOrder?: boolean
      readonly ignoreExtraElements?: boolean
    }

type NamedPattern = Readonly<Record<string, ValuePatternSource>>

/**
 * WireMock's pattern of requests; all of its members must hold, and `{}` holds for every request. Of `url`, `urlPath`,
 * `urlPattern` and `urlPathPattern` it may have one; they may be written with the session's prefix or without.
 *
 * @example
 * const pattern: RequestPattern = {
 *   method: 'POST',
 *   urlPath: '/acme/resource',
 *   bodyPatterns: [{ equalToJson: { key: 'linen-shirt' }, ignoreExtraElements: true }],
 * }
 */
export interface PatternSource {
  /** `ANY` for every one. */
  readonly method?: string
  /** Path and query. */
  readonly url?: string
  readonly urlPath?: string
  /** A regular expression of path and query. */
  readonly urlPattern?: string
  /** A regular expression of the path. */
  readonly urlPathPattern?: string
  readonly operation?: OperationId
  readonly queryParameters?: NamedPattern
  readonly headers?: NamedPattern
  readonly cookies?: NamedPattern
  readonly bodyPatterns?: readonly ValuePatternSource[]
}
