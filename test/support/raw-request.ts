import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Socket } from 'node:net'

/** Opens a connection to a port of this machine, and closes it with the test. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Sends bytes as they are, and resolves to all that comes back until the other end closes the connection. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const socket = await openSocket(port)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined)
  socket.write(text)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

/** Sends bytes as they are, and resets the connection as soon as the first bytes of an answer arrive. */
export async function sendAndReset(port: number, text: string): Promise<void> {
  const socket = await openSocket(port)
  socket.on('error', () => undefined)
  socket.write(text)
  await once(socket, 'data')
  socket.resetAndDestroy()
}
