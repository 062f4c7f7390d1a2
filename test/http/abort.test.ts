import { describe, expect, it, vi } from 'vitest'
import { onAbort } from '../../src/http/abort.ts'
import { collectGarbage } from '../support/collect-garbage.ts'

const URL = 'http://localhost/acme/resource'

describe('waiting for an abort', () => {
  it('hears of it once, when everybody else has long dropped the request', async () => {
    const aborting = new AbortController()
    const listener = vi.fn()
    onAbort(new Request(URL, { signal: aborting.signal }), listener)
    await collectGarbage()
    expect(listener).not.toHaveBeenCalled()
    aborting.abort()
    aborting.abort()
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('can be ended, and holds the request no longer then', async () => {
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
