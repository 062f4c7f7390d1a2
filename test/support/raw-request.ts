import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Socket } from 'node:net'

/** Opens a connection to a local port; it is closed after the test. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Sends bytes unchanged and returns everything received until the other side closes the connection. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const socket = await openSocket(port)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined)
  socket.write(text)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

/** Sends bytes unchanged, and resets the connection when the first bytes of a response arrive. */
export async function sendAndReset(port: number, text: string): Promise<void> {
  const socket = await openSocket(port)
  socket.on('error', () => undefined)
  socket.write(text)
  // Node closes the connection of a CONNECT without a response.
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.resetAndDestroy()
}
