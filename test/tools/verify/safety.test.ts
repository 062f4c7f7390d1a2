import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SetupError } from '../../../src/errors.ts'
import { createMock } from '../../../src/mock.ts'
import { createFetchTransport } from './fetch-transport.ts'
import type { Transport } from '../../../src/tools/verify/transport.ts'
import { verify } from '../../../src/tools/verify/verify.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { bendRequests, operationOf, withJson } from './bends.ts'
import type { Bend } from './bends.ts'
import { holdingsOf, idsOf, usual, verifyMock } from './verifier.ts'

/** The content of a project before and after a run. */
async function compareHoldings(bend: Bend, signal?: AbortSignal) {
  const mock = await createMock()
  const before = await holdingsOf(mock)
  const report = await verify({
    ...usual,
    transport: createFetchTransport(bend((request) => mock.fetch(request))),
    signal,
  })
  return { report, before, after: await holdingsOf(mock) }
}

describe('verify removes what it writes', () => {
  it('if every check passes', async () => {
    const { before, after } = await compareHoldings((fetch) => fetch)
    expect(after).toEqual(before)
  })

  it.each([1, 5, 10, 40, 80, 120, 160, 180])('if it is interrupted at request %d', async (last) => {
    const interruption = new AbortController()
    let count = 0
    const bend: Bend = (fetch) => (request) => {
      count += 1
      if (count === last) interruption.abort()
      return fetch(request)
    }
    const { report, before, after } = await compareHoldings(bend, interruption.signal)
    expect([after, report.isInterrupted, report.leftovers]).toEqual([before, true, []])
    expect(idsOf(report, 'failed')).toEqual([])
    expect(report.subjects).toHaveLength(19)
  })

  it.each([10, 60, 130])('if the response to request %d is lost', async (lost) => {
    let count = 0
    const bend: Bend = (fetch) => async (request) => {
      count += 1
      const at = count
      const response = await fetch(request)
      if (at === lost) throw new TypeError('fetch failed')
      return response
    }
    const { before, after } = await compareHoldings(bend)
    expect(after).toEqual(before)
  })

  it('if verify itself fails', async () => {
    const mock = await createMock()
    const before = await holdingsOf(mock)
    let count = 0
    const newId = () => {
      count += 1
      if (count === 5) throw new RangeError('no more ids')
      return crypto.randomUUID()
    }
    const running = verify({ ...usual, newId, transport: createFetchTransport((request) => mock.fetch(request)) })
    await expect(running).rejects.toThrow('no more ids')
    expect(await holdingsOf(mock)).toEqual(before)
  })

  it.each([
    ['fails', ['deleteResource'], 503],
    ['finds nothing', ['deleteResource', 'getResourceById', 'getResourceByKey'], 404],
  ] as const)('or reports what it could not remove if the service %s', async (_what, operations, status) => {
    const bend: Bend = (fetch) => async (request) =>
      operations.some((operation) => operation === operationOf(request))
        ? Response.json({}, { status })
        : fetch(request)
    const { leftovers } = await verifyMock({ bend, only: ['createResource'] })
    expect(leftovers.length).toBeGreaterThan(0)
    expect(leftovers[0]).toMatch(/^The resource \S+ with the key verify[0-9a-f]{12}-\d+ still exists\.$/)
  })

  it('even from a service with intermittent failures', async () => {
    let asked = 0
    const bend: Bend = (fetch) => async (request) => {
      asked += 1
      return asked > 4 && asked % 3 !== 0 ? new Response('{}', { status: 503 }) : fetch(request)
    }
    const { report, before, after } = await compareHoldings(bend)
    expect([report.leftovers, after]).toEqual([[], before])
  })

  it('even if a look-up by id finds nothing', async () => {
    const bend: Bend = (fetch) => async (request) =>
      operationOf(request) === 'getResourceById' ? Response.json({}, { status: 404 }) : fetch(request)
    const { report, before, after } = await compareHoldings(bend)
    expect([report.leftovers, after]).toEqual([[], before])
  })

  it.each([
    ['an id', 'getResourceById', 500, /\/resource\/[\da-f-]{36} returned 500\.$/],
    ['a key', 'getResourceByKey', 200, /\/resource\/key=verify\S+ returned 200\.$/],
  ] as const)(
    'or reports possible leftovers if a service hides the content of %s',
    async (_w, operation, status, at) => {
      const bend: Bend = (fetch) => async (request) =>
        operationOf(request) === operation ? Response.json({}, { status }) : fetch(request)
      const { leftovers } = await verifyMock({ bend, only: ['createResource'] })
      expect(leftovers.length).toBeGreaterThan(0)
      for (const sentence of leftovers) {
        expect(sentence).toMatch(/^The resource .+ may remain: GET /)
        expect(sentence).toMatch(at)
      }
    },
  )

  it('with the version, if a service requires one', async () => {
    const bend: Bend = (fetch) => (request) =>
      fetch(
        operationOf(request) === 'deleteResource' && !request.url.includes('version=')
          ? new Request(`${request.url}?version=99`, request)
          : request,
      )
    const { report, before, after } = await compareHoldings(bend)
    expect([report.leftovers, after]).toEqual([[], before])
  })
})

describe('existing resources', () => {
  it('are not written to by key if keys are ignored', async () => {
    const asked: string[] = []
    const bend: Bend = (fetch) => (request) => {
      asked.push(`${operationOf(request)}`)
      return bendRequests('createResource', (one) => withJson(one, (body) => delete body['key']))(fetch)(request)
    }
    const { report, before, after } = await compareHoldings(bend)
    expect(asked.filter((id) => ['putResource', 'overwriteResource', 'uploadImage'].includes(id))).toEqual([])
    expect(idsOf(report, 'untried')).toContain('putResource/overwrites')
    expect(after).toEqual(before)
  })

  it('are not deleted, even if a service returns them for a key', async () => {
    const bend = bendRequests(
      'getResourceByKey',
      (request) => new Request('http://mock/acme/resource/key=oak-side-table', request),
    )
    const { report, before, after } = await compareHoldings(bend)
    expect(after).toEqual(before)
    expect(report.leftovers[0]).toMatch(/names df3775a4-90ef-4965-b751-d48698f3949f, which was not deleted/)
  })
})

describe('read-only', () => {
  it('sends only GET and HEAD, and token requests', async () => {
    const asked = new Set<string>()
    const bend: Bend = (fetch) => (request) => {
      asked.add(`${request.method} ${new URL(request.url).pathname.split('/')[1]}`)
      return fetch(request)
    }
    await verifyMock({ bend, allowsWrites: false })
    expect([...asked].toSorted()).toEqual(['GET acme', 'HEAD acme', 'POST oauth'])
  })
})

describe('verify cannot run', () => {
  it.each([
    [
      'where nothing answers',
      {
        fetch: async () =>
          Promise.reject(
            new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }),
          ),
      },
      'http://mock cannot be verified: GET /acme/resource?limit=1 got no response: ECONNREFUSED. Check the URL and that the service is running.',
    ],
    [
      'where it is sent elsewhere',
      { fetch: async () => Promise.resolve(Response.redirect('https://mock/acme/resource?limit=1', 308)) },
      'http://mock cannot be verified: GET /acme/resource?limit=1 returned 308 with a redirect to https://mock/acme/resource?limit=1. Use the final URL.',
    ],
    [
      'where every request is refused with 503',
      { fetch: async () => Promise.resolve(new Response('', { status: 503, headers: { 'Retry-After': '0' } })) },
      'http://mock cannot be verified: GET /acme/resource?limit=1 returned 503. Try again once the service is available.',
    ],
    [
      'where every request is refused with 429',
      { fetch: async () => Promise.resolve(new Response('', { status: 429, headers: { 'Retry-After': '0' } })) },
      'http://mock cannot be verified: GET /acme/resource?limit=1 returned 429. Try again once it accepts requests.',
    ],
    [
      'where its URL has the project key already',
      { url: 'http://mock/acme' },
      'http://mock/acme cannot be verified: GET /acme/resource?limit=1 returned 404. The URL ends with the project key; remove it from the URL.',
    ],
    [
      'where its token is refused',
      { credentials: { kind: 'token', token: 'foreign' } },
      'http://mock rejects the token: GET /acme/resource?limit=1 returned 401. Check --token and --project.',
    ],
    [
      'where its client is refused',
      { credentials: { kind: 'client', client: 'shop:wrong' } },
      'The client "shop" got no token from POST http://mock/oauth/token: 401. Check --client,',
    ],
    [
      'where no tokens are issued',
      { credentials: { kind: 'client', client: 'shop:secret', tokenUrl: 'http://mock/elsewhere' } },
      'POST http://mock/elsewhere: 404.',
    ],
    [
      'with a token that no header can have',
      { credentials: { kind: 'token', token: 'a\nb' } },
      /^http:..mock cannot be verified: verify cannot build this request: .+ invalid header value\.$/s,
    ],
    [
      'with a project that no URL can have',
      { project: '\uD800' },
      'http://mock cannot be verified: verify cannot build this request: a URL cannot contain "\\ud800".',
    ],
  ] as const)('%s', async (_case, run, sentence) => {
    const mock = { auth: 'strict', clients: ['shop:secret'] } as const
    const credentials = { kind: 'token', token: 'manage_project:acme' } as const
    const running = verifyMock({ mock, credentials, ...run })
    await expect(running).rejects.toThrow(SetupError)
    await expect(running).rejects.toThrow(sentence)
  })
})

it('does not blame the service for a request that verify cannot build', async () => {
  const mock = await createMock()
  const send = createFetchTransport((request) => mock.fetch(request))
  const transport: Transport = (request) =>
    send(request.url.endsWith('/namespace-action') ? { ...request, headers: { 'X-Own': 'a\nb' } } : request)
  const report = await verify({ ...usual, transport, only: ['getAction', 'getActionWithExample'] })
  expect(idsOf(report, 'failed')).toEqual([])
  expect(report.subjects[0]?.checks.map(({ outcome }) => outcome)).toContainEqual({
    kind: 'untried',
    reason: expect.stringMatching(/^verify cannot build this request: .+invalid header value$/s) as string,
  })
  expect(idsOf(report, 'held')).toContain('getActionWithExample/status')
})

/** Times out a request that nobody else holds by then. */
const endTime = (timer: AbortController): void =>
  void collectGarbage().then(() => timer.abort(new DOMException('The time is up.', 'TimeoutError')))

it('waits for a response as long as --timeout says', async () => {
  const times = new Set<number>()
  let last = new AbortController()
  // Only the time of the unanswered request passes: the others depend on the machine's speed.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    times.add(milliseconds)
    last = new AbortController()
    return last.signal
  })
  onTestFinished(() => timeout.mockRestore())
  const bend: Bend = (fetch) => (request) =>
    operationOf(request) === 'getAction'
      ? new Promise((_, reject) => {
          const { signal } = request
          signal.addEventListener('abort', () => reject(signal.reason))
          endTime(last)
        })
      : fetch(request)
  const { subjects } = await verifyMock({ bend, timeout: 1000, only: ['getAction', 'getActionWithExample'] })
  expect(subjects.map(({ checks }) => checks[0]?.outcome)).toEqual([
    {
      kind: 'failed',
      faults: [
        {
          request: 'GET /acme/resource/namespace-action',
          at: 'status',
          expected: 'a response',
          actual: 'no response within 1000 ms',
        },
      ],
    },
    { kind: 'held' },
  ])
  expect([...times]).toEqual([1000])
})
