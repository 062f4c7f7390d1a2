import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends a GET over a connection that is never read. */
export async function openUnread(url, path, headers = {}) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const fields = Object.entries({ Host: hostname, Authorization: 'Bearer any', ...headers })
  socket.write(`GET ${path} HTTP/1.1\r\n${fields.map((field) => `${field.join(': ')}\r\n`).join('')}\r\n`)
  return socket
}
