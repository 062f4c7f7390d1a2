import { isInteger, parse, stringify } from 'lossless-json'

/** A number of the service; whole ones past 2^53 are `bigint`, so that they come back as they went. */
export type Exact = number | bigint

function toExact(text: string): Exact {
  const value = Number(text)
  return isInteger(text) && !Number.isSafeInteger(value) ? BigInt(text) : value
}

/**
 * Parses JSON without losing a digit of 64-bit integers.
 *
 * @throws {SyntaxError} for what is no JSON, such as a body that broke off.
 */
export const parseJson = (text: string): unknown => parse(text, undefined, toExact)

export const stringifyJson = (value: unknown): string => stringify(value) ?? 'null'
