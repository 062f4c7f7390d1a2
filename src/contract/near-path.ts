import { findTypoDistance } from '../util/did-you-mean.ts'
import { paths } from './paths.ts'

/** A path that a request may have meant. */
interface Near {
  readonly path: string
  /** In letters. */
  readonly distance: number
}

/** A path may start with a region and a cloud provider. */
const BASE_URL_SEGMENTS = 2

/** Fills a template with the path's parameters. Undefined if a literal segment differs by more than a typo. */
function findNear(segments: readonly string[], template: string): Near | undefined {
  const wanted = template.split('/').slice(1)
  const extra = segments.length - wanted.length
  if (extra !== 0 && extra !== BASE_URL_SEGMENTS) return undefined
  const found = segments.slice(0, extra)
  let distance = 0
  for (const [index, want] of wanted.entries()) {
    const segment = segments[extra + index] ?? ''
    const [literal = '', parameter] = want.split('{')
    if (parameter === undefined) {
      const apart = findTypoDistance(segment, literal)
      if (apart === undefined) return undefined
      distance += apart
      found.push(literal)
    } else {
      if (segment === '' || !segment.startsWith(literal)) return undefined
      found.push(segment)
    }
  }
  return { path: `/${found.join('/')}`, distance }
}

/**
 * Finds the endpoint path that a mistyped path probably meant.
 *
 * @example findNearPath('/acme/resouce/1') // '/acme/resource/1'
 */
export function findNearPath(path: string): string | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  const near = paths.map(({ template }) => findNear(segments, template)).filter((found) => found !== undefined)
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.path
}
