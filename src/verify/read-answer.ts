import { decodePercent } from '../util/decode-percent.ts'
import type { ProviderAnswer } from './provider.ts'

/** A member of a JSON value; undefined where the value is not an object or has no such member. */
export const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? // An object that has a member can be read by its name.
      (body as Readonly<Record<string, unknown>>)[name]
    : undefined

/** The id of the resource that an answer is about: from its headers, or from its body with `--identity body` (D5). */
export function findId({ headers, body }: ProviderAnswer): string | undefined {
  const place = headers.get('Location') ?? headers.get('Content-Location')
  const id = place === null ? memberOf(body, 'id') : decodePercent(place.split(/[?#]/)[0]?.split('/').at(-1) ?? '')
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** The version that an answer tells, in its body or else in its ETag (D5). */
export function findVersion({ headers, body }: ProviderAnswer): number | undefined {
  const version = memberOf(body, 'version')
  if (Number.isSafeInteger(version)) return Number(version)
  const tag = /^(?:W\/)?"(\d+)"$/.exec(headers.get('ETag') ?? '')?.[1]
  return tag === undefined ? undefined : Number(tag)
}

/** The arrays of the resource that an answer is about. */
export const findContent = ({ body }: ProviderAnswer): unknown => memberOf(body, 'objectTypeProperty')
