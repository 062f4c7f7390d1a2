import { METHOD_NAME_ALL } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { paths } from './contract/paths.ts'
import type { Path } from './contract/paths.ts'

/** Path parameters by their names in the specification. */
export type PathParameters = Readonly<Record<string, string>>

/** What the table has for a path. */
export interface Found<T> {
  readonly target: T
  readonly parameters: PathParameters
}

/** Where Hono's router found each parameter: an index into what the path matched, or its text itself. */
type Finding = Readonly<Record<string, number | string>>

/** Path parameters, decoded, and without the literal text that stands before one in its segment. */
function readParameters({ prefixes }: Path, finding: Finding, matched: readonly string[]): PathParameters {
  const parameters: Record<string, string> = {}
  for (const name in finding) {
    const at = finding[name] ?? ''
    const raw = typeof at === 'number' ? (matched[at] ?? '') : at
    const text = raw.includes('%') ? decodeURIComponent(raw) : raw
    parameters[name] = text.slice(prefixes[name]?.length ?? 0)
  }
  return parameters
}

/**
 * Matches paths with the endpoint table by Hono's quickest router, RegExpRouter. That cannot hold a literal, a prefixed
 * and a plain parameter segment at one place, so each rank of the table has one of its own, the most particular asked
 * first (D24). It is asked by hand, without a Hono app around it: the Context that one makes for every request would
 * cost as much as the rest of the walk.
 */
export function createTableRouter<T>(toTarget: (path: Path) => T): (path: string) => Found<T> | undefined {
  interface Route {
    readonly path: Path
    readonly target: T
  }
  const ranks = [new RegExpRouter<Route>(), new RegExpRouter<Route>(), new RegExpRouter<Route>()] as const
  for (const path of paths) ranks[path.rank].add(METHOD_NAME_ALL, path.pattern, { path, target: toTarget(path) })

  return function findRoute(asked) {
    for (const router of ranks) {
      const [[found], matched = []] = router.match(METHOD_NAME_ALL, asked)
      if (found === undefined) continue
      const [{ path, target }, finding] = found
      return { target, parameters: readParameters(path, finding, matched) }
    }
    return undefined
  }
}
