import { expect, it } from 'vitest'
import { createSocketTransport } from '../../../src/edges/node/socket-transport.ts'
import { createMock } from '../../../src/index.ts'
import { toPretty } from '../../../src/tools/verify/pretty.ts'
import { verify } from '../../../src/tools/verify/verify.ts'
import { serveHalfBuilt } from './half-built.ts'
import type { Gaps } from './half-built.ts'
import { bendAnswers } from './bends.ts'
import { idsOf, usual, verifyMock } from './verifier.ts'

const verifyHalfBuilt = async (gaps: Gaps) =>
  verify({ ...usual, transport: createSocketTransport(), url: await serveHalfBuilt(gaps) })

const plain = (_style: string, text: string): string => text

it.each([
  [
    'a wrong status without Location',
    { created: 200, namesIds: false },
    /^Fix first: createResource answered 200, not 201 \(\d+ checks fail\)$/m,
  ],
  [
    'a wrong status, and no id anywhere',
    { created: 200, namesIds: false, lists: false },
    /^Fix first: createResource answered 200, not 201, without an id in Location or the body \(\d{3} checks wait\)$/m,
  ],
  [
    'no scopes',
    { checksScopes: false },
    /^Fix first: queryResources, getResourceById and \d more answered 200, not 403, to a token without the scope for the request \(\d+ checks fail\)$/m,
  ],
  [
    'no versions, and a token that is not read to its end',
    { checksVersions: false, refusesTwoTokens: false },
    /^Fix first: updateResource and deleteResource answered 200, not 409, to a write with a stale version \(\d+ checks fail\)$/m,
  ],
  [
    'no versions',
    { checksVersions: false },
    /^Fix first: updateResource and deleteResource answered 200, not 409, to a write with a stale version \(\d+ checks fail\)$/m,
  ],
] as const)('names the cause in the last five lines of a report: %s', async (_case, gaps, sentence) => {
  const report = await verifyHalfBuilt(gaps)
  for (const isFolded of [false, true]) {
    expect(toPretty(report, plain, { isFolded }).split('\n').slice(-5).join('\n')).toMatch(sentence)
  }
})

it('names the request that may have stopped the service', async () => {
  const mock = await createMock()
  const fail = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
  let isStopped = false
  const report = await verifyMock({
    async fetch(request) {
      if (isStopped) return fail('ECONNREFUSED')
      const isMalformed = request.method === 'POST' && /^\{[^]*[^}]$/.test(await request.clone().text())
      isStopped ||= isMalformed
      return isMalformed ? fail('ECONNRESET') : mock.fetch(request)
    },
  })
  expect(toPretty(report, plain)).toMatch(
    /\nFix first: the service stopped during the run and refuses connections\. Look at its output, and start it again\nFor example: POST .* \((?:text after the JSON|a body without its closing brace)\): status: expected a response, got ECONNRESET\n?$/,
  )
})

it('does not say that a service stopped which responds again', async () => {
  const mock = await createMock()
  const fail = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
  let refusals = 0
  const report = await verifyMock({
    async fetch(request) {
      const isSearch = new URL(request.url).pathname.endsWith('/searchApiPattern')
      if (isSearch && refusals < 2) {
        refusals += 1
        return fail('ECONNREFUSED')
      }
      return isSearch ? new Response('', { status: 500 }) : mock.fetch(request)
    },
  })
  expect(toPretty(report, plain)).toMatch(/\nFix first: searchResources sent no response: ECONNREFUSED /)
})

it('takes the ids that a service does not send from the results of queries', async () => {
  const report = await verifyHalfBuilt({ namesIds: false })
  expect(idsOf(report, 'held')).toEqual(
    expect.arrayContaining(['getResourceById/resource', 'updateResource/status', 'deleteResource/resource']),
  )
  expect(report.leftovers.filter((sentence) => sentence.includes('with the key'))).toEqual([])
})

it('reads the resources of a service that has only the simple query', async () => {
  const bend = bendAnswers('sortedQuery', (bent) => (bent.status = 404))
  const report = await verifyMock({ bend, allowsWrites: false })
  expect(idsOf(report, 'held')).toEqual(expect.arrayContaining(['getResourceById/status', 'getResourceById/resource']))
})

it('says which response a check waits for', async () => {
  const { subjects } = await verifyHalfBuilt({ created: 200, namesIds: false, lists: false })
  const update = subjects.find(({ subject }) => subject === 'updateResource')
  expect(new Set(update?.checks.map(({ outcome }) => outcome))).toContainEqual({
    kind: 'untried',
    reason: 'waits for: createResource answers 201 with an id in Location or the body',
    waitsFor: {
      operation: 'createResource',
      expected: '201',
      actual: '200',
      lacks: 'an id in Location or the body',
    },
  })
})

it('lists the operations that a service does not have, and does not ask to fix them first', async () => {
  const report = await verifyHalfBuilt({ checksScopes: false })
  const lines = toPretty(report, plain).split('\n')
  expect(lines.find((line) => line.startsWith('Not found: '))).toMatch(
    /^Not found: searchResources \(404\), .+ more\. To leave operations out, list the others with --only\.$/,
  )
})

it('lists one failed check of an operation that a service does not have', async () => {
  const report = await verifyHalfBuilt({})
  for (const isFolded of [false, true]) {
    const [, search = ''] = /^searchResources .*\n([^]*?)\n\n/m.exec(toPretty(report, plain, { isFolded })) ?? []
    expect(search).toMatch(/✗ \d+ more checks failed: not found, 404/)
    expect(search.match(/✗/g)).toHaveLength(2)
  }
})

it('lets the checks of an operation wait for its own response', async () => {
  const { subjects } = await verifyHalfBuilt({ lists: false, namesIds: false })
  const checks = subjects.find(({ subject }) => subject === 'getAction')?.checks
  expect(checks?.find(({ id }) => id === 'getAction/shape')?.outcome).toMatchObject({
    kind: 'untried',
    reason: 'waits for: getAction answers 200',
  })
})

it('suspects the URL and the project if every operation is missing', async () => {
  const fetch = async (request: Request) =>
    Promise.resolve(
      request.url.includes('/oauth/')
        ? Response.json({ access_token: 'a', token_type: 'Bearer' })
        : Response.json({}, { status: 404 }),
    )
  const report = await verifyMock({ fetch, allowsWrites: false })
  expect(report.fixFirst?.sentence).toBe('every operation answered 404. Check the URL and --project')
})

it('counts what fails and what waits for a response', async () => {
  const bend = bendAnswers('createResource', (bent) => (bent.status = 500))
  const { fixFirst, counts } = await verifyMock({ bend })
  expect(fixFirst?.sentence).toBe(`createResource answered 500, not 201 (${fixFirst?.waiting.length} checks wait)`)
  expect(fixFirst?.waiting.length).toBeGreaterThan(counts.untried / 2)
})

it('labels requests with different tokens, since a report does not show them', async () => {
  const report = await verifyMock({ mock: { auth: 'off' }, only: ['getAction'] })
  const checks = report.subjects.flatMap((subject) => subject.checks)
  const found = checks.find(({ id }) => id === 'getAction/bad-token')?.outcome
  expect(found?.kind === 'failed' && found.faults.map(({ request }) => request)).toEqual([
    'GET /acme/resource/namespace-action (Basic credentials)',
    'GET /acme/resource/namespace-action (an empty token)',
    'GET /acme/resource/namespace-action (two tokens)',
  ])
})

it('does not ask for a client that was given', async () => {
  const fetch = async (request: Request) =>
    Promise.resolve(
      request.url.includes('/oauth/')
        ? Response.json({ access_token: 'a', token_type: 'Bearer', scope: 'manage_project:acme' })
        : Response.json({}),
    )
  const report = await verifyMock({ fetch, only: ['getAction'], allowsWrites: false })
  const outcome = report.subjects[0]?.checks.find(({ id }) => id === 'getAction/own-scope')?.outcome
  expect(outcome).toEqual({
    kind: 'untried',
    reason: 'the token endpoint issued no token with only view_test:acme; let the client request each scope alone',
  })
})

it('has nothing to fix first if every check passed', async () => {
  const report = await verifyMock({ only: ['getAction'] })
  expect(report).not.toHaveProperty('fixFirst')
})
