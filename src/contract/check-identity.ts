import * as z from 'zod'
import { decision } from './decisions.ts'
import type { ResponseHeaderName } from './response-headers.ts'
import { responseHeaders } from './response-headers.ts'
import { int64 } from './numbers.ts'
import { toDecided } from './violation.ts'
import type { Violation } from './violation.ts'

const resource = z.looseObject({ version: int64, id: z.string().optional() })

const PLACES = ['Location', 'Content-Location'] as const

function findLastSegment(place: string): string | undefined {
  const [path = ''] = place.split(/[?#]/, 1)
  try {
    return decodeURIComponent(path.split('/').at(-1) ?? '')
  } catch {
    return undefined
  }
}

/** Holds the headers that tell of a resource to the resource of the body (D5), as far as the answer documents and has them. */
export function checkIdentity(
  names: readonly ResponseHeaderName[],
  headers: Headers,
  value: unknown,
): readonly Violation[] {
  const { data } = resource.safeParse(value)
  if (data === undefined) return []
  const { version, id } = data
  const etag = names.includes('ETag') ? headers.get('ETag') : null
  const isStale = responseHeaders.ETag.schema.safeParse(etag).success && etag !== `"${version}"`
  const places = PLACES.filter((name) => names.includes(name) && headers.has(name))
  return [
    ...(isStale ? [toDecided(decision('D5'), 'headers.ETag', `"${version}" expected, the version of the body`)] : []),
    ...places
      .filter((name) => id !== undefined && findLastSegment(headers.get(name) ?? '') !== id)
      .map((name) => toDecided(decision('D5'), `headers.${name}`, 'the id of the body expected at its end')),
  ]
}
