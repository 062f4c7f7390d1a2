import { constants, Http2ServerResponse } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import { halve } from '../http/fault.ts'
import type { FaultName, Unsent } from '../http/fault.ts'

/** The stream of an answer in HTTP/2, where requests share a connection. */
export const findStream = (outgoing: object): ServerHttp2Stream | undefined =>
  outgoing instanceof Http2ServerResponse ? outgoing.stream : undefined

const sendHalf = (stream: ServerHttp2Stream, { status, headers, body }: Unsent): Promise<void> => {
  const { half, length } = halve(body)
  stream.respond({ ...headers, ':status': status, 'content-length': length })
  return new Promise((resolve) => stream.write(half, () => resolve()))
}

/**
 * Breaks a request of HTTP/2: whichever way a connection would be broken, its stream alone ends in an error (RFC 9113,
 * section 5.4.2). Resolves once the stream is closed.
 */
export async function breakStream(stream: ServerHttp2Stream, fault: FaultName, unsent: Unsent): Promise<void> {
  if (fault === 'TRUNCATED_BODY' && !stream.destroyed) await sendHalf(stream, unsent)
  if (fault !== 'TIMEOUT') stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  if (!stream.closed || !stream.destroyed) await new Promise((resolve) => stream.once('close', resolve))
}
