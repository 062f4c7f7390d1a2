/** The largest whole number of 64 bits that JavaScript writes in no more than its digits. */
const LARGEST = 9_223_372_036_854_775_000n

/** What JavaScript makes of a whole number that it reads and writes, kept within 64 bits. */
function toRounded(value: bigint): bigint {
  const rounded = BigInt(String(Number(value)))
  if (rounded > LARGEST) return LARGEST
  return rounded < -LARGEST ? -LARGEST : rounded
}

/**
 * A body whose numbers outlast the proxy of Pact's verifier, which reads them as doubles and writes them again: past 2^53
 * a number is only near the one that was sent, and still one of 64 bits.
 */
export function toVerifiable(value: unknown): unknown {
  if (typeof value === 'bigint') return toRounded(value)
  if (Array.isArray(value)) return value.map(toVerifiable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toVerifiable(member)]))
}
