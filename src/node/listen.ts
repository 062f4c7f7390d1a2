import type { Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { SetupError } from '../errors.ts'
import { ListenError } from './listen-error.ts'

interface ListenAddress {
  readonly port: number
  readonly host: string
}

function toSentence(fault: NodeJS.ErrnoException, { port, host }: ListenAddress): Error {
  const options = { cause: fault }
  switch (fault.code) {
    case 'EADDRINUSE':
      return new ListenError(
        `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port, such as --port ${port === 65_535 ? 4010 : port + 1}; --port 0 picks a free one.`,
        options,
      )
    case 'EACCES':
      return new ListenError(
        `You are not allowed to open port ${port} on ${host}. Choose a port from 1024 on, such as --port 4010.`,
        options,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new SetupError(
        `The host ${JSON.stringify(host)} is not an address of this machine. Use one such as 127.0.0.1, or 0.0.0.0 for all interfaces.`,
        options,
      )
    default:
      return new ListenError(`Cannot open port ${port} on ${host}: ${fault.message}.`, options)
  }
}

/**
 * Opens a server's port and resolves with its number.
 *
 * @throws {ListenError} when the port is taken or forbidden; {SetupError} when the host is not an address of this machine.
 */
export async function listen(server: Server, place: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (fault) => reject(toSentence(fault, place)))
    server.listen(place.port, place.host, () => {
      const address = server.address()
      resolve(address === null || typeof address === 'string' ? place.port : address.port)
    })
  })
}

/** The URL to call a server at: the loopback address if it listens on all interfaces. */
export function toUrl(scheme: 'http' | 'https', { port, host }: ListenAddress): string {
  const called = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  // RFC 6874, section 2: a zone's percent sign is escaped in a URL.
  return `${scheme}://${isIPv6(called) ? `[${called.replace('%', '%25')}]` : called}:${port}`
}
