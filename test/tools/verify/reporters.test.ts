import { describe, expect, it } from 'vitest'
import type { CheckReport, Finding, Report } from '../../../src/tools/verify/report.ts'
import { toPretty } from '../../../src/tools/verify/pretty.ts'
import { toJson, toJunit, toTap } from '../../../src/tools/verify/reporters.ts'
import { parseXml } from './xml.ts'

/** Hostile text from a provider, meant to break a report. */
const NASTY = '<a b="c">&amp; ]]> \u0000\u001B[31m\uD800 #hash \\ "quoted"\nnext line 😀'

const fault = (actual: string, at = 'version') => ({ request: 'GET /acme/resource', at, expected: '2', actual })

const report: Report = {
  url: 'http://127.0.0.1:4010',
  project: 'acme',
  allowsWrites: true,
  subjects: [
    {
      subject: 'updateResource',
      summary: 'Update a resource by actions',
      method: 'POST',
      path: '/{projectKey}/resource/{id}',
      checks: [
        {
          id: 'updateResource/status',
          says: 'returns the documented status',
          section: '4.10',
          outcome: { kind: 'held' },
        },
        {
          id: 'updateResource/version-grows',
          says: 'increments the version by exactly 1',
          section: '9',
          decision: 'D7',
          outcome: { kind: 'failed', faults: [fault('1'), fault(NASTY, 'errors[0].code')] },
        },
        {
          id: 'updateResource/scope',
          says: 'returns 403 for a token without its scope',
          section: '5',
          outcome: { kind: 'untried', reason: 'it needs a client # and more' },
        },
      ],
      notes: ['Undocumented member: extra.'],
      milliseconds: 12,
    },
    {
      subject: 'postAction',
      summary: 'Write data to a backend system',
      method: 'POST',
      path: '/{projectKey}/resource/namespace-action',
      checks: [
        {
          id: 'postAction/status',
          says: 'returns the documented status',
          section: '4.14',
          outcome: { kind: 'untried', reason: 'it writes' },
        },
        {
          id: 'postAction/shape',
          says: 'returns the documented shape',
          section: '2',
          outcome: { kind: 'untried', reason: 'it writes' },
        },
      ],
      notes: [],
      milliseconds: 0,
    },
  ],
  counts: { held: 1, failed: 1, untried: 3 },
  leftovers: ['The resource a<b is still there.'],
  isInterrupted: false,
  milliseconds: 1234,
}

const plain = (_style: string, text: string): string => text

describe('for people', () => {
  const lines = toPretty(report, plain).split('\n')

  it('lists each operation, and each check with its basis', () => {
    expect(lines.slice(0, 5)).toEqual([
      'updateResource POST /{projectKey}/resource/{id}',
      '  ✓ returns the documented status',
      '  ✗ increments the version by exactly 1 (spec 9, D7)',
      '      GET /acme/resource',
      '        version: expected 2, got 1',
    ])
  })

  it('gives the reason for untried checks once per operation', () => {
    expect(lines).toContain('  ○ returns 403 for a token without its scope — not tried: it needs a client # and more')
    expect(lines.slice(lines.indexOf('postAction POST /{projectKey}/resource/namespace-action'))).toEqual([
      'postAction POST /{projectKey}/resource/namespace-action',
      '  ○ not tried: it writes',
      '',
      'updateResource    1 passed    1 failed    1 not tried',
      'postAction        0 passed    0 failed    2 not tried',
      '',
      'Left behind: The resource a<b is still there.',
      'http://127.0.0.1:4010, project acme, with writes: 2 operations, 5 checks in 1.2 s:',
      '1 passed, 1 failed, 3 not tried.',
    ])
  })

  it('lists a request once for all that its response lacks', () => {
    const requests = lines.slice(3, 7).filter((line) => line.includes('GET /acme/resource'))
    expect(requests).toEqual(['      GET /acme/resource'])
    expect(lines[5]).toContain('errors[0].code: expected 2')
  })

  it('styles its output only through the paint', () => {
    const painted = toPretty(report, (style, text) => `<${style}>${text.replace(/[\n\u001B]/g, '.')}</>`)
    expect(painted).toContain('<red>✗</>')
    expect(painted).not.toContain('\u001B')
  })

  it('lists the first five of many findings, and the number of others', () => {
    const [subject] = report.subjects
    const faults = Array.from({ length: 7 }, (_, at) => fault(String(at)))
    const checks = [{ id: 'a', says: 'b', section: '1', outcome: { kind: 'failed' as const, faults } }]
    const text = toPretty({ ...report, subjects: subject === undefined ? [] : [{ ...subject, checks }] }, plain)
    expect([text.includes('got 4'), text.includes('got 5'), text.includes('and 2 more')]).toEqual([true, false, true])
  })

  const untried = (says: string, reason: string): CheckReport => ({
    id: says,
    says,
    section: '1',
    outcome: { kind: 'untried', reason },
  })
  const failed = (says: string, ...faults: readonly Finding[]): CheckReport => ({
    id: says,
    says,
    section: '1',
    outcome: { kind: 'failed', faults },
  })
  const passed = (says: string): CheckReport => ({ id: says, says, section: '1', outcome: { kind: 'held' } })
  const withChecks = (...checks: readonly CheckReport[]): Report => ({
    ...report,
    leftovers: [],
    subjects: report.subjects.slice(0, 1).map((subject) => ({ ...subject, checks, notes: [] })),
  })

  it('gives a reason once for three or more checks', () => {
    const all = ['a', 'b', 'c'].map((says) => untried(says, 'it waits'))
    expect(
      toPretty(withChecks(passed('d'), ...all), plain)
        .split('\n')
        .slice(1, 6),
    ).toEqual(['  ✓ d', '  ○ 3 checks not tried: it waits', '      a', '      b', '      c'])
  })

  it('lists a finding of several checks once', () => {
    const text = toPretty(withChecks(failed('a', fault('1')), failed('b', fault('1'))), plain)
    expect(text.split('\n').slice(1, 5)).toEqual([
      '  ✗ a (spec 1)',
      '      GET /acme/resource',
      '        version: expected 2, got 1',
      '  ✗ b (spec 1), for the same reason as above',
    ])
  })

  it('folds long lists', () => {
    const faults = ['1', '2', '3', '4', '5', '6', '7'].map((actual) =>
      failed(actual, fault(actual), fault(actual, 'id')),
    )
    const leftovers = Array.from({ length: 7 }, (_, at) => `Resource ${at}`)
    const folded = toPretty(
      { ...withChecks(passed('a'), passed('b'), ...faults, untried('c', 'it waits')), leftovers },
      plain,
      { isFolded: true },
    )
    expect(folded).toMatch(/^ {2}✓ 2 checks passed$/m)
    expect(folded.match(/✗/g)).toHaveLength(5)
    expect(folded.match(/and 1 more$/gm)).toHaveLength(5)
    expect(folded).toMatch(/^ {4}and 2 more failed: --verbose lists them$/m)
    expect(folded).toMatch(/^ {2}○ 1 check not tried: it waits$/m)
    expect(folded).toMatch(/^and 2 more: --verbose lists them$/m)
  })

  it('reports what got better and worse', () => {
    const since = { better: ['a/b', 'a/c'], worse: [], revealed: ['d/e'] }
    expect(toPretty({ ...report, since }, plain)).toContain(
      [
        'Since the earlier report: 2 better, 0 worse, 1 newly tried and failed.',
        '  Better: a/b and a/c',
        '  Newly tried, and failed: d/e',
      ].join('\n'),
    )
  })
})

it('is the report itself, as JSON', () => {
  expect(JSON.parse(toJson(report))).toEqual(JSON.parse(JSON.stringify(report)))
})

describe('as JUnit XML', () => {
  const suites = parseXml(toJunit(report))

  it('has a suite for each operation, and one for leftovers', () => {
    expect(suites.attributes).toEqual({
      name: 'resource-mock verify',
      tests: '6',
      failures: '2',
      skipped: '3',
      time: '1.234',
    })
    expect(suites.children.map(({ attributes }) => attributes)).toEqual([
      { name: 'updateResource', tests: '3', failures: '1', skipped: '1', time: '0.012' },
      { name: 'postAction', tests: '2', failures: '0', skipped: '2', time: '0.000' },
      { name: 'cleaning up', tests: '1', failures: '1', skipped: '0' },
    ])
  })

  it('has a case for each check, marked as failed or skipped', () => {
    const [suite] = suites.children
    expect(
      suite?.children.map(({ name, attributes, children }) => [name, attributes['name'], children[0]?.name]),
    ).toEqual([
      ['testcase', 'returns the documented status (spec 4.10)', undefined],
      ['testcase', 'increments the version by exactly 1 (spec 9, D7)', 'failure'],
      ['testcase', 'returns 403 for a token without its scope (spec 5)', 'skipped'],
      ['system-out', undefined, undefined],
    ])
  })

  it('includes text from a provider, and replaces characters that XML does not allow', () => {
    const failure = suites.children[0]?.children[1]?.children[0]
    expect(failure?.attributes['message']).toBe('GET /acme/resource: version: expected 2, got 1')
    const told = NASTY.replace('\u0000', '\uFFFD').replace('\u001B', '\uFFFD').replace('\uD800', '\uFFFD')
    expect(failure?.text).toContain(`errors[0].code: expected 2, got ${told}`)
  })
})

describe('as TAP 14', () => {
  const lines = toTap(report).split('\n')

  it('has a plan, and a point for each check', () => {
    expect(lines.slice(0, 2)).toEqual(['TAP version 14', '1..6'])
    expect(lines.filter((line) => /^(?:not )?ok /.test(line))).toEqual([
      'ok 1 - updateResource returns the documented status (spec 4.10)',
      'not ok 2 - updateResource increments the version by exactly 1 (spec 9, D7)',
      'ok 3 - updateResource returns 403 for a token without its scope (spec 5) # SKIP it needs a client \\# and more',
      'ok 4 - postAction returns the documented status (spec 4.14) # SKIP it writes',
      'ok 5 - postAction returns the documented shape (spec 2) # SKIP it writes',
      'not ok 6 - left behind: The resource a<b is still there.',
    ])
  })

  it('reports findings in a YAML block', () => {
    const start = lines.indexOf('  ---')
    expect(lines.slice(start, start + 9)).toEqual([
      '  ---',
      '  check: updateResource/version-grows',
      '  section: "9"',
      '  decision: D7',
      '  faults:',
      '    - request: "GET /acme/resource"',
      '      at: "version"',
      '      expected: "2"',
      '      actual: "1"',
    ])
    expect(lines[start + 13]).toBe('  ...')
  })
})
