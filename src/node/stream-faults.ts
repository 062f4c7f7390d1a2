import { constants, Http2ServerResponse } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Connection } from '../http/connection.ts'
import { halve } from '../http/fault.ts'
import type { Unsent } from '../http/fault.ts'

/** The stream of an answer in HTTP/2, where requests share a connection. */
export const findStream = (outgoing: object): ServerHttp2Stream | undefined =>
  outgoing instanceof Http2ServerResponse ? outgoing.stream : undefined

const sendHalf = (stream: ServerHttp2Stream, { status, headers, body }: Unsent): Promise<void> => {
  const { half, length } = halve(body)
  stream.respond({ ...headers, ':status': status, 'content-length': length })
  return new Promise((resolve) => stream.write(half, () => resolve()))
}

/**
 * Creates what breaks an exchange of HTTP/2: its stream alone ends in an error (RFC 9113, section 5.4.2), whichever way a
 * connection would have been broken. It resolves once the stream is closed.
 */
export function createStreamBreakOff(stream: ServerHttp2Stream): NonNullable<Connection['breakOff']> {
  return async function breakOff(fault, unsent) {
    if (fault === 'TRUNCATED_BODY' && !stream.destroyed) await sendHalf(stream, unsent)
    if (fault !== 'TIMEOUT') stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    if (!stream.closed || !stream.destroyed) await new Promise((resolve) => stream.once('close', resolve))
    return RESPONSE_ALREADY_SENT
  }
}
