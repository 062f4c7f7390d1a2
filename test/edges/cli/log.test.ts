import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLog, formatJsonRequest, toPrintable, wantsColour } from '../../../src/edges/cli/log.ts'
import type { LogKind } from '../../../src/edges/cli/log.ts'
import type { LogLine } from '../../../src/sessions/journal/record.ts'

const entry: LogLine = {
  time: '2026-01-31T12:00:00.000Z',
  method: 'GET',
  target: '/acme/resource',
  status: 200,
  durationMilliseconds: 1.25,
  correlationId: 'correlation-1',
  operation: 'queryResources',
  session: 'default',
  scenarios: [],
  warnings: [],
}

function capture(kind: LogKind, colour = false) {
  const lines: string[] = []
  const writer = { write: (line: string) => void lines.push(line) }
  return { lines, log: createLog({ kind, colour, writer, now: () => '2026-01-31T12:00:01.000Z' }) }
}

const lineOf = (kind: LogKind, changed: Partial<LogLine> = {}, colour = false): string => {
  const { lines, log } = capture(kind, colour)
  log.request?.({ ...entry, ...changed })
  return lines.join('\n')
}

describe('json', () => {
  it('is one object per request, with every member of the entry and its level', () => {
    expect(JSON.parse(lineOf('json'))).toEqual({ level: 'info', ...entry })
  })

  it.each([
    [{ status: 404 }, 'info'],
    [{ warnings: ['D4 Unknown query parameter "x" is ignored.'] }, 'warn'],
    [{ status: 500, warnings: ['D4 x'] }, 'error'],
  ])('of %j has level %s', (changed, level) => {
    expect(JSON.parse(lineOf('json', changed))).toMatchObject({ level })
  })

  it('stays one line, whatever the target contains', () => {
    const target = '/a\nb\r\u2028"\\'
    expect(lineOf('json', { target })).not.toMatch(/[\n\r]/)
    expect(JSON.parse(lineOf('json', { target }))).toMatchObject({ target })
  })

  it('has what became of a request whose client left', () => {
    const left = { status: 0, clientLeft: true, tookEffect: true } as const
    expect(JSON.parse(lineOf('json', left))).toEqual({ level: 'info', ...entry, ...left })
    expect(JSON.parse(lineOf('json', { status: 0, clientLeft: true }))).not.toHaveProperty('tookEffect')
  })

  it('has the trace id of a request that has one', () => {
    const { lines, log } = capture('json')
    const traced = { ...entry, traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }
    log.request?.(traced)
    expect(JSON.parse(lines.join())).toEqual({ level: 'info', ...traced })
  })

  it('has the stack of an error, and of its cause', () => {
    const { lines, log } = capture('json')
    log.fault(new Error('outer', { cause: new Error('inner') }), 'correlation-1')
    expect(JSON.parse(lines.join())).toEqual({
      level: 'error',
      time: '2026-01-31T12:00:01.000Z',
      correlationId: 'correlation-1',
      message: 'outer',
      stack: expect.stringMatching(/^Error: outer\n[^]*log\.test[^]*\nCaused by: Error: inner\n/),
    })
  })

  it('shows a thrown value that is not an Error', () => {
    const { lines, log } = capture('json')
    log.fault('just a text')
    expect(JSON.parse(lines.join())).toMatchObject({ level: 'error', message: 'just a text' })
  })
})

describe('pretty', () => {
  it('has time, method, target, status, duration and operation in columns', () => {
    expect(lineOf('pretty')).toMatch(/^\d\d:\d\d:\d\d GET {5}\/acme\/resource {35}200 {2}1\.3 ms queryResources$/)
  })

  it('keeps its columns, whatever the lengths of method and duration', () => {
    const columnOf = (changed: Partial<LogLine>) => lineOf('pretty', changed).indexOf('queryResources')
    const changes = [
      { method: 'OPTIONS' },
      { durationMilliseconds: 0.04 },
      { durationMilliseconds: 12.5 },
      { durationMilliseconds: 60_000 },
    ]
    expect(new Set([columnOf({}), ...changes.map(columnOf)]).size).toBe(1)
  })

  it('shows scenarios at the end, and each warning on a line below', () => {
    const warnings = ['D4 Unknown member "x" is ignored.', 'D9 Content-Type is missing.']
    const [first, ...below] = lineOf('pretty', { scenarios: ['conflict', 'slow'], warnings }).split('\n')
    expect(first).toMatch(/queryResources \[conflict, slow\]$/)
    expect(below.map((line) => line.trim())).toEqual(warnings.map((warning) => `! ${warning}`))
  })

  it('shows that the client left', () => {
    expect(lineOf('pretty', { status: 0, clientLeft: true })).toMatch(/queryResources client left$/)
    const left = { clientLeft: true, tookEffect: true } as const
    expect(lineOf('pretty', left)).toMatch(/queryResources client left, took effect$/)
  })

  it('has a dash if the request matched no operation', () => {
    const { operation: _operation, ...without } = entry
    const { lines, log } = capture('pretty')
    log.request?.({ ...without, status: 404 })
    expect(lines.join()).toMatch(/ms -$/)
  })

  it.each([
    [200, '\u001B[32m'],
    [302, '\u001B[36m'],
    [404, '\u001B[33m'],
    [503, '\u001B[31m'],
    [0, '\u001B[31m'],
  ])('colours a status of %i', (status, code) => {
    expect(lineOf('pretty', { status }, true)).toContain(`${code}${status}\u001B[39m`)
  })

  it('has no escape sequences without colour, even if the request contains some', () => {
    const evil = '\u001B[2J\u009B31m\u0007\u202E'
    const line = lineOf('pretty', { target: `/${evil}`, method: evil, warnings: [`D4 ${evil}`], scenarios: [evil] })
    for (const character of evil.replaceAll(/[\w[]/g, '')) expect(line).not.toContain(character)
    expect(line).toContain('/\\u001b[2J\\u009b31m\\u0007\\u202e')
  })

  it('shows the stack of an error', () => {
    const { lines, log } = capture('pretty')
    log.fault(new Error('broken'), 'correlation-1')
    expect(lines.join()).toMatch(/^\d\d:\d\d:\d\d fault correlation-1\n {2}Error: broken\n {6}at /)
  })
})

it('silent logs only warnings and errors, not requests or notes', () => {
  const { lines, log } = capture('silent')
  expect([log.request, log.note]).toEqual([undefined, undefined])
  log.warn('action.json is broken.')
  log.fault(new Error('broken'))
  expect(lines.join()).toMatch(/action\.json is broken\.[^]*Error: broken/)
})

describe('a message that is not about a request', () => {
  it('is a separate object in JSON', () => {
    const { lines, log } = capture('json')
    log.note?.('Watching "mine"')
    log.warn('Broken\nfile')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'info', time: '2026-01-31T12:00:01.000Z', message: 'Watching "mine"' },
      { level: 'warn', time: '2026-01-31T12:00:01.000Z', message: 'Broken\nfile' },
    ])
  })

  it('uses the columns of the requests in the pretty log, and indents further lines', () => {
    const { lines, log } = capture('pretty')
    log.note?.('Watching mine/')
    log.warn('Broken\nfile\u001B[2J')
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d note {4}Watching mine\/$/)
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d warning Broken\n {9}file\\u001b\[2J$/)
  })
})

it('writes a line of JSON as JSON.stringify does', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(
      fc.record({
        // A token (RFC 9110, section 9.1): servers and Request accept no other method.
        method: fc.stringMatching(/^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/),
        target: fc.oneof(text, fc.webPath()),
        status: fc.integer({ min: 0, max: 599 }),
        durationMilliseconds: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
        correlationId: fc.stringMatching(/^[A-Za-z0-9_-]{8,256}$/),
        session: text,
        scenarios: fc.array(text, { maxLength: 2 }),
        warnings: fc.array(text, { maxLength: 2 }),
      }),
      fc.option(text, { nil: undefined }),
      (changed, operation) => {
        const { operation: _operation, ...rest } = entry
        const one = { ...rest, ...changed, ...(operation === undefined ? {} : { operation }) }
        const { level: _level, ...members } = JSON.parse(formatJsonRequest(one)) as Record<string, unknown>
        expect(members).toEqual(JSON.parse(JSON.stringify(one)))
        expect(formatJsonRequest(one)).not.toMatch(/[\n\r]/)
      },
    ),
  )
})

it('does not change text that a terminal can show', () => {
  expect(toPrintable('/größe?q=日本 "x"')).toBe('/größe?q=日本 "x"')
})

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  [{ TERM: 'dumb' }, true, false],
])('with %j and a terminal %s, colour is %s', (env, isTerminal, colour) => {
  expect(wantsColour(env, isTerminal)).toBe(colour)
})
