import { describeDifferences, toFingerprint } from '../../admin/api/fingerprint.ts'
import type { Fingerprint } from '../../admin/api/fingerprint.ts'
import { findErrorCode } from '../../errors.ts'
import { ListenError, toServerUrl } from '../node/server.ts'
import { parseOptions } from '../../app/options/options.ts'
import type { ServerOptions, Settings } from '../../app/options/options.ts'

/** How long the program on the port may take to respond, in milliseconds. */
const OCCUPANT_TIMEOUT = 1000

/** Asks the program on a port for its fingerprint; undefined unless it is a mock. */
async function findFingerprint(url: string): Promise<Fingerprint | undefined> {
  try {
    const response = await fetch(`${url}/__admin/health`, { signal: AbortSignal.timeout(OCCUPANT_TIMEOUT) })
    const { fingerprint } = (await response.json()) as { readonly fingerprint?: Partial<Fingerprint> }
    const isMock = typeof fingerprint?.version === 'string' && typeof fingerprint.options === 'object'
    // A mock of another version may have other members, which are only shown.
    return isMock ? (fingerprint as Fingerprint) : undefined
  } catch {
    return undefined
  }
}

/**
 * Describes the mock that already uses a port: its options, whether it can be used instead, and how to end it.
 *
 * @param fault why the server did not start
 * @returns undefined unless another mock uses the port
 */
export async function describeOccupant(
  fault: unknown,
  { port, host = '127.0.0.1', adminToken }: Partial<Settings>,
  options: ServerOptions,
): Promise<ListenError | undefined> {
  const isInUse = fault instanceof ListenError && findErrorCode(fault.cause) === 'EADDRINUSE'
  if (!isInUse || port === undefined) return undefined
  const url = toServerUrl(options.tls === undefined ? 'http' : 'https', { port, host })
  const found = await findFingerprint(url)
  if (found === undefined) return undefined
  const { onRequest: _log, ...own } = options
  const differences = describeDifferences(await toFingerprint(parseOptions(own, 'server'), own), found)
  const use =
    differences.length === 0 ? 'It is the same mock, so you can use it.' : `It differs: ${differences.join('; ')}.`
  const token = adminToken === undefined ? '' : " -H 'Authorization: Bearer <admin token>'"
  const texts = Object.entries(found.options).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return new ListenError(
    `Port ${port} on ${host} is in use by another resource-mock ${texts.length === 0 ? 'with the default options' : `with ${texts.join(', ')}`}. ${use} To end it: curl -X POST ${url}/__admin/shutdown${token}. Or choose another port, such as --port ${port === 65_535 ? 4010 : port + 1}.`,
    { cause: fault },
  )
}
