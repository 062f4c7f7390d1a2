/** A line that only one of two texts has at its place. */
export interface LineChange {
  readonly kind: 'gone' | 'come'
  readonly line: string
}

/** A line that both texts have, behind others that both have in the same order. */
interface Chain {
  readonly before: number
  readonly after: number
  readonly rest: Chain | undefined
}

type Lines = readonly string[]

/** Texts with more pairs of equal lines than this are not compared line by line: all of one is gone, all of the other came. */
const MOST_PAIRS = 4_000_000

/** Where each line stands, last place first. */
function placesOf(lines: Lines): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [at, line] of [...lines.entries()].toReversed()) {
    const known = places.get(line)
    if (known === undefined) places.set(line, [at])
    else known.push(at)
  }
  return places
}

/** The index of the first chain that ends at a place or behind it; longer chains end later. */
function findChain(chains: readonly Chain[], place: number): number {
  let [low, high] = [0, chains.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((chains[middle]?.after ?? place) < place) low = middle + 1
    else high = middle
  }
  return low
}

/** The longest common subsequence (Hunt and Szymanski, 1977), last line first. */
function findCommon(before: Lines, after: Lines): Chain | undefined {
  const places = placesOf(after)
  const pairs = before.reduce((sum, line) => sum + (places.get(line)?.length ?? 0), 0)
  if (pairs > MOST_PAIRS) return undefined
  const chains: Chain[] = []
  for (const [at, line] of before.entries()) {
    for (const place of places.get(line) ?? []) {
      const length = findChain(chains, place)
      if (chains[length]?.after !== place) chains[length] = { before: at, after: place, rest: chains[length - 1] }
    }
  }
  return chains.at(-1)
}

const toChanges = (kind: LineChange['kind'], lines: Lines): readonly LineChange[] =>
  lines.map((line) => ({ kind, line }))

function countEqual(before: Lines, after: Lines): number {
  const end = before.findIndex((line, at) => line !== after[at])
  return end === -1 ? before.length : end
}

/** What differs between the lines of two texts, in their order; empty only where they are the same. */
export function diffLines(before: Lines, after: Lines): readonly LineChange[] {
  const start = countEqual(before, after)
  const spare = countEqual(before.slice(start).toReversed(), after.slice(start).toReversed())
  const old = before.slice(start, before.length - spare)
  const now = after.slice(start, after.length - spare)
  const parts: (readonly LineChange[])[] = []
  let [oldEnd, nowEnd] = [old.length, now.length]
  for (let chain = findCommon(old, now); chain !== undefined; chain = chain.rest) {
    parts.push(toChanges('come', now.slice(chain.after + 1, nowEnd)))
    parts.push(toChanges('gone', old.slice(chain.before + 1, oldEnd)))
    ;[oldEnd, nowEnd] = [chain.before, chain.after]
  }
  parts.push(toChanges('come', now.slice(0, nowEnd)), toChanges('gone', old.slice(0, oldEnd)))
  return parts.toReversed().flat()
}
