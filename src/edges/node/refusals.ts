import { METHODS } from '../../app/pipeline/reply.ts'
import { problem } from '../../errors.ts'
import type { Problem } from '../../errors.ts'
import { findServicePath } from '../../service/contract/paths.ts'
import { BROKEN_OFF } from '../../service/http/body.ts'
import { isTokenPath, parseAddress } from '../../service/http/request-head.ts'
import { didYouMean } from '../../util/did-you-mean.ts'

// What is wrong with a request that Node's parser, or the check of its head, refuses, and how to send it right.

/** What could be read of a request that Node's parser refuses. */
export interface SentHead {
  readonly method: string
  /** As sent, in UTF-8 or else Latin-1. */
  readonly target: string
  readonly httpVersion: string
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[]
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
}

/** The error of Node's parser, with the bytes that it refused and its position in them. */
export type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number }

/** A method, which may be wrong. */
const METHOD = /^[!#$%&'*+.^_`|~\w-]+(?= )/

/** The name of a header. */
const HEADER_NAME = /^[^\s:]+(?=:)/

const VERSION_MARK = ' HTTP/'

/**
 * Parses a request line whose target may have spaces, and whose version may be missing (RFC 9112, section 3). Regular
 * expressions would take long for long runs of spaces.
 */
function parseRequestLine(line: string): Pick<SentHead, 'method' | 'target' | 'httpVersion'> | undefined {
  const [method] = METHOD.exec(line) ?? []
  if (method === undefined) return undefined
  let start = method.length
  while (line[start] === ' ') start += 1
  let end = line.lastIndexOf(VERSION_MARK)
  const httpVersion = end < start ? '' : line.slice(end + VERSION_MARK.length)
  if (!/^[\d.]+$/.test(httpVersion)) return { method, target: line.slice(start), httpVersion: '' }
  while (line[end - 1] === ' ') end -= 1
  return { method, target: line.slice(start, end), httpVersion }
}

/** Text in UTF-8, or in Latin-1 if it is not valid UTF-8. */
function toUtf8(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString()
  return text.includes('\u{fffd}') ? latin1 : text
}

/** Reads what it can of a refused request; undefined if it does not start with a request line. */
function readHead(packet: Buffer): SentHead | undefined {
  const [line = '', ...lines] = (packet.toString('latin1').split(/\r?\n\r?\n/, 1)[0] ?? '').split(/\r?\n/)
  const requestLine = parseRequestLine(line)
  if (requestLine === undefined) return undefined
  const pairs = lines.flatMap((one): [string, string][] => {
    const [name] = HEADER_NAME.exec(one) ?? []
    return name === undefined || one.includes('\r') ? [] : [[name, one.slice(name.length + 1).trim()]]
  })
  return {
    ...requestLine,
    target: toUtf8(requestLine.target),
    rawHeaders: pairs.flat(),
    headers: Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])),
  }
}

/** In place of the head of a request of which nothing could be read; `-` as in the log of Apache. */
const NO_HEAD: SentHead = { method: '-', target: '/', httpVersion: '1.1', rawHeaders: [], headers: {} }

function toAllowed(target: string): readonly string[] {
  try {
    const { path } = parseAddress(`http://localhost${target}`)
    return isTokenPath(path) ? ['POST'] : (findServicePath(path)?.path.allowed ?? METHODS)
  } catch {
    // The percent-encoding of the path is malformed.
    return METHODS
  }
}

/** 405 for a method that the parser refuses. */
export function toMethodProblem({ method, target }: Pick<SentHead, 'method' | 'target'>, advice?: string): Problem {
  const allowed = toAllowed(target)
  const upper = method.toUpperCase()
  const isLower = upper !== method && allowed.includes(upper)
  const spelling = isLower ? `Methods are case-sensitive: send ${upper}. In fetch, write method: '${upper}'.` : advice
  const remedy = spelling ?? didYouMean(method, allowed).trim()
  const path = target.replace(/[?#].*$/s, '').slice(0, 500)
  return problem.methodNotAllowed(method.slice(0, 100), path, allowed, remedy === '' ? undefined : remedy)
}

/** A character that a request target must not contain (RFC 9112, section 3.2). */
const RAW = /[^!-~]/u

/** What is wrong with a request target; undefined if it is valid. */
export function findTargetProblem(target: string): Problem | undefined {
  const [raw] = RAW.exec(target) ?? []
  if (raw !== undefined) {
    return problem.invalidInput(
      `Percent-encode ${raw === ' ' ? 'the space' : JSON.stringify(raw).slice(1, -1)} at character ${target.indexOf(raw) + 1} of the request target as ${encodeURIComponent(raw)}. With curl, use --get and --data-urlencode; in JavaScript, encodeURIComponent.`,
      { invalidValue: target },
    )
  }
  const isPath = target.startsWith('/') && !target.replace(/\?.*$/, '').includes('\\')
  if (isPath || (/^https?:\/\//.test(target) && URL.canParse(target))) return undefined
  return problem.invalidInput(
    `The request target ${JSON.stringify(target.slice(0, 200))} is not a path. Use one such as /my-project/resource.`,
    { invalidValue: target },
  )
}

/** The name of the header at a position. */
function findHeaderName(packet: Buffer, at: number): string {
  const text = packet.toString('latin1')
  const line = text.slice(text.lastIndexOf('\n', Math.max(0, at - 1)) + 1).split(/\r?\n/, 1)[0] ?? ''
  // Without its value, which may be a secret.
  return toUtf8(line.split(':', 1)[0] ?? '').slice(0, 100)
}

export const toHeaderProblem = (name: string, value: string | undefined, remedy: string): Problem =>
  problem.invalidInput(`The header ${name}: ${value?.slice(0, 200) ?? ''} is not valid. ${remedy}`, {
    field: name,
    invalidValue: value,
  })

const toEncodingProblem = (encoding: string | undefined): Problem =>
  toHeaderProblem('Transfer-Encoding', encoding, 'Send "chunked", or omit it and send Content-Length.')

/** What is wrong with bytes that do not start with a request line. */
function toUnreadableProblem(packet: Buffer, at: number, isFirst: boolean): Problem {
  // The type of a TLS handshake record (RFC 8446, section 5.1).
  if (packet[0] === 22) {
    return problem.invalidInput(
      'The client sent a TLS handshake, but this port serves plain HTTP. Use http:// in the URL, or start the mock with --tls-cert and --tls-key.',
    )
  }
  const start = JSON.stringify(
    packet
      .toString('latin1')
      .slice(isFirst ? 0 : at)
      .slice(0, 20),
  )
  const remedy = isFirst
    ? 'Send it with an HTTP client.'
    : "If they are the end of the previous request's body, its Content-Length is too small: count bytes, not characters."
  return problem.invalidInput(`The connection sent bytes that are not an HTTP request: ${start}. ${remedy}`)
}

/** What is wrong with the body of a request whose head has been read. */
export function toBodyProblem({ code }: ParserError, encoding: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem.requestTimeout()
  if (code === 'HPE_INVALID_TRANSFER_ENCODING') return toEncodingProblem(encoding)
  // The client has closed its half of the connection.
  if (code === 'HPE_INVALID_EOF_STATE') return problem.invalidInput(BROKEN_OFF)
  return problem.invalidInput(
    'The chunked body is malformed. Send each chunk as its length in hexadecimal, a line break, its bytes and a line break (RFC 9112, section 7.1).',
  )
}

const CARRIAGE_RETURN = 13

/** Explains an error of the parser at a position of a request whose start could be read. */
function toHeadProblem(code: string, head: SentHead, packet: Buffer, at: number): Problem {
  if (code === 'HPE_INVALID_METHOD') return toMethodProblem(head)
  const lineEnd = packet.indexOf('\n')
  const isLine = head.httpVersion === '' || at < lineEnd || packet[lineEnd - 1] !== CARRIAGE_RETURN
  const targetProblem = head.httpVersion === '' ? undefined : findTargetProblem(head.target)
  if (targetProblem !== undefined) return targetProblem
  if (isLine) {
    const line = `${head.method.slice(0, 100)} ${head.target.slice(0, 200)}`
    return problem.invalidInput(
      `The request line "${line}" does not end with HTTP/1.1, a carriage return and a line feed. Send them.`,
    )
  }
  const { 'content-length': length, 'transfer-encoding': encoding } = head.headers
  if (length !== undefined && encoding !== undefined)
    return problem.invalidInput('The request has both Content-Length and Transfer-Encoding. Send only one of them.')
  if (code.endsWith('CONTENT_LENGTH'))
    return toHeaderProblem('Content-Length', length, "Send it once, as the number of the body's bytes.")
  if (code === 'HPE_INVALID_TRANSFER_ENCODING') return toEncodingProblem(encoding)
  return problem.invalidInput(
    `The header line that starts with ${JSON.stringify(findHeaderName(packet, at))} is not valid. Send a name without spaces, a colon, and a value without line breaks and control characters.`,
  )
}

/**
 * Explains an error of Node's HTTP parser, and returns what could be read of the request.
 *
 * @param isFirst whether it is the first request of its connection
 */
export function explainRefusal(
  { code = '', rawPacket, bytesParsed = 0 }: ParserError,
  isFirst: boolean,
): { readonly head: SentHead; readonly refusal: Problem } {
  // The packet may start with other requests, which were valid.
  const blankLine = rawPacket?.subarray(0, bytesParsed).lastIndexOf('\r\n\r\n') ?? -1
  const start = blankLine === -1 ? 0 : blankLine + 4
  const packet = rawPacket?.subarray(start) ?? Buffer.alloc(0)
  const at = bytesParsed - start
  const head = readHead(packet)
  const toResult = (refusal: Problem) => ({ head: head ?? NO_HEAD, refusal })
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return toResult(problem.requestTimeout())
  if (code === 'HPE_PAUSED_H2_UPGRADE') {
    return toResult(
      problem.invalidInput(
        'The client speaks HTTP/2, but this server HTTP/1.1. Configure the client for HTTP/1.1, such as with curl --http1.1.',
      ),
    )
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    if (head === undefined) return toResult(problem.headersTooLarge('The request line or the headers exceed 64 KiB.'))
    return toResult(packet.subarray(0, at).includes('\n') ? problem.headersTooLarge() : problem.uriTooLong())
  }
  // Text such as "HELO localhost" looks like a request line without its end.
  if (head === undefined || (head.httpVersion === '' && code === 'HPE_INVALID_METHOD'))
    return toResult(toUnreadableProblem(packet, at, isFirst && start === 0))
  return toResult(toHeadProblem(code, head, packet, at))
}
