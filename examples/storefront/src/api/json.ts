import { isInteger, parse, stringify } from 'lossless-json'

/** A number from the service; integers above 2^53 are `bigint`, so that they are sent back unchanged. */
export type Exact = number | bigint

function toExact(text: string): Exact {
  const value = Number(text)
  return isInteger(text) && !Number.isSafeInteger(value) ? BigInt(text) : value
}

/**
 * Parses JSON without losing a digit of 64-bit integers.
 *
 * @throws {SyntaxError} for invalid JSON, such as a truncated body.
 */
export const parseJson = (text: string): unknown => parse(text, undefined, toExact)

export const stringifyJson = (value: unknown): string => stringify(value) ?? 'null'
