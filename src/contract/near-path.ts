import { findTypoDistance } from '../util/did-you-mean.ts'
import { paths } from './paths.ts'

/** A path that a request may have meant. */
interface Near {
  readonly path: string
  /** In letters. */
  readonly distance: number
}

/** A region and a cloud provider may stand in front of a path. */
const BASE_URL_SEGMENTS = 2

/** The template with the parameters of a path, where its literal segments are no more than mistyped. */
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
 * The path that was probably meant by one that no endpoint has.
 *
 * @example findNearPath('/acme/resouce/1') // '/acme/resource/1'
 */
export function findNearPath(path: string): string | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  const near = paths.map(({ template }) => findNear(segments, template)).filter((found) => found !== undefined)
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.path
}
