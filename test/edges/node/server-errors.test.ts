import { Server } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ListenError, startServer } from '../../../src/node.ts'

it('a port that is in use rejects the start, and closes the mock that would have served it', async () => {
  const first = await startServer({ port: 0 })
  onTestFinished(() => first.close())
  const onFault = vi.fn()
  await expect(startServer({ port: first.port, onFault })).rejects.toThrow(
    new ListenError(
      `Port ${first.port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port, such as --port ${first.port + 1}; --port 0 picks a free one.`,
    ),
  )
  expect(onFault).not.toHaveBeenCalled()
})

it('an error of a server that listens is reported, and the server keeps serving', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen')
  onTestFinished(() => listen.mockRestore())
  const onFault = vi.fn()
  const server = await startServer({ port: 0, auth: 'off', onFault })
  onTestFinished(() => server.close())
  const [listening] = listen.mock.contexts as Server[]
  const errors = [new Error('accept EMFILE'), new Error('accept ENFILE')]
  for (const error of errors) listening?.emit('error', error)
  expect(onFault.mock.calls).toEqual(errors.map((error) => [error, 'server']))
  expect((await fetch(`${server.url}/acme/resource`)).status).toBe(200)
})
