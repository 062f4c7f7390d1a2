import type { Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { SetupError } from '../errors.ts'
import { ListenError } from './listen-error.ts'

interface Place {
  readonly port: number
  readonly host: string
}

function toSentence(fault: NodeJS.ErrnoException, { port, host }: Place): Error {
  const options = { cause: fault }
  switch (fault.code) {
    case 'EADDRINUSE':
      return new ListenError(
        `Port ${port} of ${host} is in use. Stop what listens there, or choose another port with --port, such as --port ${port === 65_535 ? 4010 : port + 1}; --port 0 picks a free one.`,
        options,
      )
    case 'EACCES':
      return new ListenError(
        `Port ${port} of ${host} may not be opened by this user. Choose one from 1024 up with --port, such as --port 4010.`,
        options,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new SetupError(
        `The host ${JSON.stringify(host)} is no address of this machine. Give one that is, such as 127.0.0.1, or 0.0.0.0 for all.`,
        options,
      )
    default:
      return new ListenError(`Port ${port} of ${host} cannot be opened: ${fault.message}.`, options)
  }
}

/**
 * Opens a server's port and resolves with its number.
 *
 * @throws {ListenError} when the port is taken or forbidden; {SetupError} when it is no port, or the host is not this machine's.
 */
export async function listen(server: Server, place: Place): Promise<number> {
  // What is no number, Node takes for the path of a pipe.
  if (!Number.isInteger(place.port) || place.port < 0 || place.port > 65_535) {
    throw new SetupError(
      `The port ${JSON.stringify(place.port)} is no whole number from 0 to 65535. Give one that is, such as 4010, or 0 for a free one.`,
    )
  }
  return new Promise((resolve, reject) => {
    server.once('error', (fault) => reject(toSentence(fault, place)))
    server.listen(place.port, place.host, () => {
      const address = server.address()
      resolve(address === null || typeof address === 'string' ? place.port : address.port)
    })
  })
}

/** The address to call a server at; one that listens everywhere is called at the loopback. */
export function toUrl(scheme: 'http' | 'https', { port, host }: Place): string {
  const called = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  // RFC 6874, section 2: a zone's percent sign is escaped in a URL.
  return `${scheme}://${isIPv6(called) ? `[${called.replace('%', '%25')}]` : called}:${port}`
}
