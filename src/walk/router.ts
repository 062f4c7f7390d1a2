import { METHOD_NAME_ALL } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { findRank, paths } from '../contract/paths.ts'
import type { Path } from '../contract/paths.ts'
import { rememberMany } from '../remember.ts'

/** Path parameters by their names in the specification. */
export type PathParameters = Readonly<Record<string, string>>

/** What the table has for a path. */
export interface Found<T> {
  readonly target: T
  readonly parameters: PathParameters
}

/** Where Hono's router finds a parameter, and what of its segment it is. */
interface Parameter {
  readonly name: string
  /** Into what the path matched. */
  readonly index: number
  /** The length of the literal text that stands before it in its segment. */
  readonly start: number
}

interface Route<T> {
  readonly path: Path
  readonly target: T
  /** Known once the router has found it. */
  parameters?: readonly Parameter[]
}

const toParameters = ({ prefixes }: Path, indices: Readonly<Record<string, number | string>>): readonly Parameter[] =>
  Object.entries(indices).map(([name, index]) => ({ name, index: Number(index), start: prefixes[name]?.length ?? 0 }))

function readParameters(parameters: readonly Parameter[], matched: readonly string[]): PathParameters {
  const read: Record<string, string> = {}
  for (const { name, index, start } of parameters) {
    const raw = matched[index] ?? ''
    read[name] = (raw.includes('%') ? decodeURIComponent(raw) : raw).slice(start)
  }
  return read
}

/**
 * Matches paths with the endpoint table by Hono's quickest router, RegExpRouter. That cannot hold a literal, a prefixed
 * and a plain parameter segment at one place, so each rank of the table has one of its own, the most particular asked
 * first (D24). It is asked by hand, without a Hono app around it: the Context that one makes for every request would
 * cost as much as the rest of the walk. What a path was found to be is remembered.
 */
export function createTableRouter<T>(toTarget: (path: Path) => T): (path: string) => Found<T> | undefined {
  const ranks = [new RegExpRouter<Route<T>>(), new RegExpRouter<Route<T>>(), new RegExpRouter<Route<T>>()] as const
  for (const path of paths) ranks[path.rank].add(METHOD_NAME_ALL, path.pattern, { path, target: toTarget(path) })
  /** By the rank of the first that has to be asked. */
  const remaining = [ranks, ranks.slice(1), ranks.slice(2)] as const

  return rememberMany((asked) => {
    for (const router of remaining[findRank(asked)]) {
      const [[found], matched = []] = router.match(METHOD_NAME_ALL, asked)
      if (found === undefined) continue
      const [route, indices] = found
      route.parameters ??= toParameters(route.path, indices)
      return { target: route.target, parameters: readParameters(route.parameters, matched) }
    }
    return undefined
  })
}
