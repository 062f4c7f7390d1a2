/** Headers as they were sent: names and values in turn, in their order, in their case, repeated where they were. */
export type RawHeaders = readonly string[]

type Pair = [name: string, value: string]

export const toPairs = (raw: RawHeaders): readonly Pair[] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, at): Pair => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''])

export const fromPairs = (pairs: Iterable<Pair>): RawHeaders => [...pairs].flat()

/** The headers as programs read them. */
export function toHeaders(raw: RawHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of toPairs(raw)) headers.append(name, value)
  return headers
}

/** The headers without those whose lower-case name this holds for. */
export const withoutHeaders = (raw: RawHeaders, isDropped: (name: string) => boolean): RawHeaders =>
  fromPairs(toPairs(raw).filter(([name]) => !isDropped(name.toLowerCase())))

/** The headers with the value of each one of a name changed; undefined leaves it out. */
export const mapHeader = (raw: RawHeaders, name: string, change: (value: string) => string | undefined): RawHeaders =>
  fromPairs(
    toPairs(raw).flatMap((pair): readonly Pair[] => {
      if (pair[0].toLowerCase() !== name) return [pair]
      const value = change(pair[1])
      return value === undefined ? [] : [[pair[0], value]]
    }),
  )
