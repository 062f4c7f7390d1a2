import { describe, expect, it } from 'vitest'
import { createWrongTokens } from '../../../src/admin/api/guard.ts'
import type { Exchange } from '../../../src/app/pipeline/exchange.ts'
import { createAsk } from './ask.ts'

/** The parts of a request that are checked. */
const from = (remoteAddress: string): Exchange =>
  ({ connection: { remoteAddress }, request: new Request('http://mock') }) as unknown as Exchange

describe('a wrong admin token', () => {
  it('delays the response twice as long as the previous one from the same address, up to two seconds', async () => {
    const waits: number[] = []
    const { delay } = createWrongTokens(async (milliseconds) => void waits.push(milliseconds))
    for (let count = 0; count < 7; count += 1) await delay(from('10.0.0.1'))
    await delay(from('10.0.0.2'))
    expect(waits).toEqual([100, 200, 400, 800, 1600, 2000, 2000, 100])
  })

  it('resets its delay once the address has sent the right one', async () => {
    const waits: number[] = []
    const { delay, forgive } = createWrongTokens(async (milliseconds) => void waits.push(milliseconds))
    await delay(from('10.0.0.1'))
    await delay(from('10.0.0.1'))
    forgive(from('10.0.0.1'))
    await delay(from('10.0.0.1'))
    expect(waits).toEqual([100, 200, 100])
  })

  it('is 429 while a hundred others wait', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const { delay } = createWrongTokens(() => released)
    const waiting = Array.from({ length: 100 }, (_, at) => delay(from(`10.0.0.${at}`)))
    await expect(delay(from('10.0.1.1'))).rejects.toMatchObject({ status: 429 })
    release()
    await Promise.all(waiting)
    await delay(from('10.0.1.1'))
  })

  it('is refused, and does not delay the right one', async () => {
    const { ask } = await createAsk({ adminToken: 'right' })
    const send = (token: string) =>
      ask('GET', '/__admin/scenarios', { headers: { Authorization: `Bearer ${token}` } }).then(({ status }) => status)
    const order: number[] = []
    const wrong = send('wrong').then((status) => order.push(status))
    const right = send('right').then((status) => order.push(status))
    await Promise.all([wrong, right])
    expect(order).toEqual([200, 401])
  })
})
