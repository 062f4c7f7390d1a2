import { describe, expect, it } from 'vitest'
import { SPAN, toTimeline } from '../../src/dashboard/timeline.ts'

const NOW = 1_700_000_000_000
const beat = (age: number, status = 200, duration = 1) => ({ time: NOW - age, status, duration })

describe('the charts of the last minutes', () => {
  it('count the last minute, the latency and the failures', () => {
    const { rate, latency, errors } = toTimeline([beat(0), beat(59_000, 409, 3), beat(120_000, 0, 2), beat(SPAN)], {
      now: NOW,
    })
    expect([rate.value, rate.detail]).toEqual(['2/min', '3 in 5 minutes'])
    expect([latency.value, latency.detail]).toEqual(['3.0 ms', '95th percentile; median 2.0 ms'])
    expect([errors.value, errors.detail]).toEqual(['2', '66.7% of requests'])
  })

  it('are empty without requests', () => {
    const { rate, latency, errors } = toTimeline([], { now: NOW })
    expect([rate, latency, errors].map(({ shape }) => shape)).toEqual(['', '', ''])
    expect(errors.detail).toBe('0% of requests')
  })

  it('count a time in the future as now', () => {
    expect(toTimeline([beat(-5000)], { now: NOW }).rate.shape).toBe('M591 40v-40h8v40z')
  })

  it('move only by whole bars', () => {
    const beats = Array.from({ length: 40 }, (_, at) => beat(at * 700))
    const start = Math.ceil(NOW / 5000) * 5000
    const shapes = Array.from(
      { length: 5 },
      (_, second) => toTimeline(beats, { now: start + second * 1000 }).rate.shape,
    )
    expect(new Set(shapes).size).toBe(1)
    const heightsOf = (shape: string) => shape.match(/v-\d+/g)
    expect(heightsOf(toTimeline(beats, { now: start + 5000 }).rate.shape)).toEqual(heightsOf(shapes[0] ?? ''))
  })

  it('say that older requests are left out', () => {
    const { rate } = toTimeline([beat(0), beat(10_000), beat(30_000)], { now: NOW, since: NOW - 30_000 })
    expect([rate.value, rate.detail]).toEqual(['6/min', 'newest 3 requests'])
  })
})
