import { describe, expect, it } from 'vitest'
import { toPretty } from '../../../src/tools/verify/pretty.ts'
import type { VerifyReport } from '../../../src/tools/verify/report.ts'
import { toJsonReport, toJunitReport, toTap } from '../../../src/tools/verify/reporters.ts'
import { compareReports, parseEarlierReport } from '../../../src/tools/verify/since.ts'
import { parseXml } from './xml.ts'

const sentence =
  'getAction: GET /acme/resource/namespace-action: the mock answers 200, the service 404 \u0007 (section 4.14)'

const report: VerifyReport = {
  url: 'http://127.0.0.1:4010',
  project: 'acme',
  allowsWrites: true,
  seed: 7,
  requests: 31,
  conversations: [
    { name: 'carts', compared: 29, otherwise: 0, reasons: [] },
    { name: 'heads', compared: 2, otherwise: 1, reasons: [] },
    { name: 'scopes', compared: 0, otherwise: 0, reasons: ['tokens of single scopes need --client'] },
  ],
  mismatches: [
    {
      conversation: 'heads',
      operation: 'getAction',
      sentence,
      at: 'status',
      request: { method: 'GET', path: '/acme/resource/namespace-action', headers: {} },
      before: [],
      mock: { status: 200, headers: {}, body: '{}' },
      service: { status: 404, headers: {}, body: '{}' },
      kind: 'violation',
      section: 'section 4.14',
      also: 0,
    },
  ],
  notFound: [],
  notes: ['The service is strict.'],
  leftovers: ['The resource 1 still exists.'],
  fixFirst: { sentence: 'getAction answers 404, not 200 (1 violation)', failed: ['heads'] },
  isInterrupted: false,
  milliseconds: 1234,
}

const plain = (_: unknown, text: string): string => text

describe('the pretty report', () => {
  it('lists conversations, mismatches, leftovers and what to fix first', () => {
    expect(toPretty(report, plain).split('\n')).toEqual([
      '✓ carts 29 requests',
      '• heads 2 requests, 1 violation',
      '○ scopes 0 requests',
      '    not compared: tokens of single scopes need --client',
      '',
      `✗ ${sentence}`,
      '',
      'note: The service is strict.',
      'Left behind: The resource 1 still exists.',
      'http://127.0.0.1:4010, project acme, with writes, seed 7: 31 requests in 1.2 s, 1 violation, no differences.',
      'Fix first: getAction answers 404, not 200 (1 violation)',
    ])
  })

  it('folds conversations that are alike, and long lists of mismatches', () => {
    const [one] = report.mismatches
    const many = { ...report, mismatches: Array.from({ length: 15 }, () => one).filter((each) => each !== undefined) }
    const text = toPretty(many, plain, { isFolded: true })
    expect(text).toContain('✓ 1 conversation alike')
    expect(text.match(/✗/g)).toHaveLength(12)
    expect(text).toContain('and 3 more: --verbose lists them')
  })

  it('styles its output only through the paint', () => {
    const painted = toPretty(report, (style, text) => `<${style}>${text}</>`)
    expect(painted).toContain(`<red>✗</> <plain>${sentence}</>`)
  })

  it('reports what was replayed', () => {
    const replay = {
      requests: 312,
      tests: 41,
      alike: 309,
      otherwise: 3,
      leftOut: [{ why: 'a scenario changed it', count: 4 }],
    }
    const text = toPretty({ ...report, replay }, plain)
    expect(text).toContain(
      '4 requests left out: a scenario changed it\n312 requests of 41 tests: 309 answered alike, 3 otherwise\n',
    )
  })
})

it('is the report itself, as JSON', () => {
  expect(JSON.parse(toJsonReport(report))).toEqual(report)
})

it('is a JUnit case for each conversation, and one for each leftover', () => {
  const { attributes, children } = parseXml(toJunitReport(report))
  expect(attributes).toMatchObject({ tests: '4', failures: '2', skipped: '1' })
  expect(children.map((suite) => suite.attributes['name'])).toEqual(['conversations', 'cleaning up'])
})

it('is a TAP point for each conversation, with its sentences', () => {
  const lines = toTap(report).split('\n')
  expect(lines.slice(0, 4)).toEqual(['TAP version 14', '1..4', 'ok 1 - carts', 'not ok 2 - heads'])
  expect(lines).toContain(`    - ${JSON.stringify(sentence)}`)
  expect(lines).toContain('ok 3 - scopes # SKIP tokens of single scopes need --client')
  expect(lines).toContain('not ok 4 - left behind: The resource 1 still exists.')
})

it('compares with an earlier report by the names of conversations', () => {
  const earlier = parseEarlierReport(
    JSON.stringify({
      conversations: [
        { name: 'carts', compared: 1, otherwise: 1 },
        { name: 'heads', compared: 2, otherwise: 0 },
        { name: 'gone', compared: 1, otherwise: 0 },
      ],
    }),
    'last.json',
  )
  expect(compareReports(report, earlier)).toEqual({ better: ['carts'], worse: ['heads'] })
})
