import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../src/node.ts'
import { useServer } from '../../src/playwright/server.ts'
import type { MockServer, ServerChoice } from '../../src/playwright/server.ts'

const NOTHING: ServerChoice = { mockUrl: undefined, mockAdminToken: undefined, mockOptions: undefined }

const useNothing = async (): Promise<void> => {}

describe('the mock of a worker', () => {
  it('is one of its own, which ends with the worker', async () => {
    let url = ''
    await useServer({ ...NOTHING, mockOptions: { adminToken: 'secret' } }, async (server) => {
      url = server.url
      expect(server).toEqual({ url, adminToken: 'secret' })
      expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
    })
    await expect(fetch(`${url}/__admin/health`)).rejects.toThrow()
  })

  it('ends with a worker that fails, too', async () => {
    let url = ''
    const using = useServer(NOTHING, async (server) => {
      url = server.url
      throw new Error('The worker failed.')
    })
    await expect(using).rejects.toThrow('The worker failed.')
    await expect(fetch(`${url}/__admin/health`)).rejects.toThrow()
  })

  it('is the one that runs already, which goes on', async () => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const use = vi.fn<(given: MockServer) => Promise<void>>(useNothing)
    await useServer({ ...NOTHING, mockUrl: `${server.url}/` }, use)
    expect(use).toHaveBeenCalledWith({ url: server.url, adminToken: undefined })
    expect((await fetch(`${server.url}/__admin/health`)).status).toBe(200)
  })

  it.each<[string, Partial<ServerChoice>, string]>([
    ['an address where nothing answers', { mockUrl: 'http://127.0.0.1:1' }, 'No mock answers at http://127.0.0.1:1'],
    ['what is no address', { mockUrl: 'localhost' }, '"localhost" is no address of a mock'],
    ['an address and options', { mockUrl: 'http://127.0.0.1:1', mockOptions: {} }, 'Both mockUrl and mockOptions'],
  ])('cannot be %s', async (_what, choice, message) => {
    await expect(useServer({ ...NOTHING, ...choice }, useNothing)).rejects.toThrow(message)
  })

  it('asks for its token', async () => {
    const server = await startServer({ port: 0, adminToken: 'secret' })
    onTestFinished(() => server.close())
    const choice = { ...NOTHING, mockUrl: server.url }
    await expect(useServer(choice, useNothing)).rejects.toThrow('The admin API asks for a token.')
    await useServer({ ...choice, mockAdminToken: 'secret' }, useNothing)
  })
})
