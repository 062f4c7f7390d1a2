import { PassThrough, Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLineWriter, LARGEST_BACKLOG } from '../../../src/edges/cli/log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The maximum delay of a line. */
const passPatience = () => vi.advanceTimersByTime(10)

function createSink() {
  const writes: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      writes.push(String(chunk))
      done()
    },
  })
  return { stream, writes }
}

it('writes the lines of ten milliseconds in one piece', async () => {
  const { stream, writes } = createSink()
  const writer = createLineWriter(stream)
  writer.write('one')
  writer.write('two')
  expect(writes).toEqual([])
  passPatience()
  expect(writes).toEqual(['one\ntwo\n'])
})

it('writes again after that', async () => {
  const { stream, writes } = createSink()
  const writer = createLineWriter(stream)
  writer.write('one')
  passPatience()
  writer.write('two')
  passPatience()
  expect(writes).toEqual(['one\n', 'two\n'])
})

it('does not collect more than 64 KiB', () => {
  const { stream, writes } = createSink()
  const writer = createLineWriter(stream)
  const line = 'x'.repeat(1023)
  for (let count = 0; count < 64; count += 1) writer.write(line)
  expect(writes.map((text) => text.length)).toEqual([65_536])
})

it('writes the collected lines once when it is flushed', async () => {
  const { stream, writes } = createSink()
  const writer = createLineWriter(stream)
  writer.write('one')
  writer.flush()
  writer.flush()
  passPatience()
  expect(writes).toEqual(['one\n'])
})

it('resolves drain when the stream has taken everything', async () => {
  const stream = new PassThrough()
  const writer = createLineWriter(stream)
  writer.write('last words')
  await writer.drain()
  expect(String(stream.read())).toContain('last words\n')
})

it('drops lines when the reader is gone, and never throws', async () => {
  const stream = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    },
  })
  const writer = createLineWriter(stream)
  writer.write('one')
  passPatience()
  writer.write('two')
  await writer.drain()
})

describe('a stream that nobody reads', () => {
  /** Accepts bytes, and shows only through `read` that it has passed them on. */
  function createUnread() {
    const passed: (() => void)[] = []
    const texts: string[] = []
    const stream = new Writable({
      write(chunk, _encoding, done) {
        texts.push(String(chunk))
        passed.push(done)
      },
    })
    return {
      stream,
      texts,
      readAll() {
        while (passed.length > 0) passed.shift()?.()
      },
    }
  }

  const line = 'x'.repeat(1023)

  it('holds at most 1 MiB of lines and a batch, and later reports how many it dropped', () => {
    const { stream, texts, readAll } = createUnread()
    const losses: number[] = []
    const writer = createLineWriter(stream, (lines) => losses.push(lines))
    const lines = 64 * 200
    for (let count = 0; count < lines; count += 1) writer.write(line)
    expect(stream.writableLength).toBeLessThanOrEqual(LARGEST_BACKLOG + 64 * 1024)
    expect(losses).toEqual([])
    readAll()
    writer.write('somebody reads again')
    passPatience()
    readAll()
    expect(losses).toEqual([lines - (texts.join('').split(`${line}\n`).length - 1)])
    expect(texts.at(-1)).toBe('somebody reads again\n')
  })

  it('does not delay the end of the process', async () => {
    const { stream } = createUnread()
    const writer = createLineWriter(stream)
    writer.write('last words')
    const draining = writer.drain()
    vi.runAllTimers()
    await draining
  })
})
