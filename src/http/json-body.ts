import { toTextInSlices, useBody } from './body.ts'
import { parseJsonBody } from './json.ts'
import type { JsonLimits } from './json-limits.ts'

/** How a JSON body is read. */
export interface ReadJsonOptions {
  /** The most bytes, after decompression. */
  readonly limit: number
  /** What it may hold. */
  readonly limits: JsonLimits
  /** Whether a body without JSON is taken, as undefined. */
  readonly isOptional?: boolean
}

/** A JSON body, and what it was parsed from. */
export interface JsonText {
  readonly value: unknown
  readonly text: string
}

/**
 * Reads a request's JSON body and works on it: the one way from bytes to values. It is limited while it is decompressed, and
 * again while it is parsed, in slices. Large bodies are read and worked on one after the other, so the work must not wait for
 * another request.
 *
 * @throws {Problem} 400 if it is not JSON or exceeds the limits, 413 for too many bytes, 415 for an unknown Content-Encoding.
 */
export const readJsonBody = <Result>(
  request: Request,
  { limit, limits, isOptional = false }: ReadJsonOptions,
  use: (body: JsonText) => Result | Promise<Result>,
): Promise<Result> =>
  useBody(request, limit, async (bytes) => {
    const text = await toTextInSlices(bytes)
    const isAbsent = isOptional && text === ''
    return use({ text, value: isAbsent ? undefined : await parseJsonBody(text, limits) })
  })
