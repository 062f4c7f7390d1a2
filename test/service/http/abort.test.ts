import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isAborted, onAbort } from '../../../src/service/http/connection.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'

const URL = 'http://localhost/acme/resource'

describe('waiting for an abort', () => {
  it('resolves once, long after all others have dropped the request', async () => {
    const aborting = new AbortController()
    const listener = vi.fn()
    onAbort(new Request(URL, { signal: aborting.signal }), listener)
    await collectGarbage()
    expect(listener).not.toHaveBeenCalled()
    aborting.abort()
    aborting.abort()
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('continues if other waits for the same signal stop', async () => {
    const aborting = new AbortController()
    const listener = vi.fn()
    function listen(): void {
      const request = new Request(URL, { signal: aborting.signal })
      const stopFirst = onAbort(request, vi.fn())
      onAbort(request, listener)
      onAbort(request, vi.fn())()
      stopFirst()
    }
    listen()
    await collectGarbage()
    aborting.abort()
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('uses one listener in Node, however many wait', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    onTestFinished(() => warn.mockRestore())
    const aborting = new AbortController()
    const request = new Request(URL, { signal: aborting.signal })
    const listener = vi.fn()
    for (let time = 0; time < 50; time += 1) onAbort(request, listener)
    aborting.abort()
    expect(listener).toHaveBeenCalledTimes(50)
    expect(warn).not.toHaveBeenCalled()
  })

  it.each([null, undefined])("has no effect if a polyfill's request has %s as a signal", (signal) => {
    const request = Object.defineProperty(new Request(URL), 'signal', { value: signal })
    expect(isAborted(request)).toBe(false)
    expect(onAbort(request, expect.fail)).not.toThrow()
  })

  it('can be cancelled, and then releases the request', async () => {
    const aborting = new AbortController()
    const listener = vi.fn()
    function listenAndStop(): WeakRef<Request> {
      const request = new Request(URL, { signal: aborting.signal })
      onAbort(request, listener)()
      return new WeakRef(request)
    }
    const dropped = listenAndStop()
    await collectGarbage()
    expect(dropped.deref()).toBeUndefined()
    aborting.abort()
    expect(listener).not.toHaveBeenCalled()
  })
})
