import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SetupError } from '../../../src/errors.ts'
import { createMock } from '../../../src/mock.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { pick } from '../../support/thorough.ts'
import type { VerifyOptions } from '../../../src/tools/verify/verify.ts'
import { bendAnswers, bendRequests, operationOf, withJson } from './bends.ts'
import type { Bend } from './bends.ts'
import { countedIds } from './counted-ids.ts'
import { holdingsOf, sentencesOf, verifyFetch, verifyMock } from './verifier.ts'

/** Conversations that write in every way. */
const WRITES = ['lifecycle', 'overwrites', 'deletions', 'uploads', 'action-payload']
const EVERYTHING = undefined

/** The content of a project before and after a run. */
async function compareHoldings(bend: Bend, options: Partial<VerifyOptions> = {}) {
  const mock = await createMock()
  const before = await holdingsOf(mock)
  const report = await verifyFetch(
    bend((request) => mock.fetch(request)),
    { isQuick: true, only: pick(EVERYTHING, WRITES), ...options },
  )
  return { report, before, after: await holdingsOf(mock) }
}

describe('verify removes what it writes', () => {
  it('if every check passes, and gives back the action payload', async () => {
    const { before, after } = await compareHoldings((fetch) => fetch)
    expect(after).toEqual(before)
  })

  it.each(pick([1, 8, 40, 120, 300], [8, 60]))('if it is interrupted at request %d', async (last) => {
    const interruption = new AbortController()
    let count = 0
    const bend: Bend = (fetch) => (request) => {
      count += 1
      if (count === last) interruption.abort()
      return fetch(request)
    }
    const { report, before, after } = await compareHoldings(bend, { signal: interruption.signal })
    expect([after, report.isInterrupted, report.leftovers]).toEqual([before, true, []])
    expect(sentencesOf(report)).toEqual([])
  })

  it.each(pick([10, 60, 200], [40]))('if the response to request %d is lost', async (lost) => {
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

  it('if its token is rejected on the way', async () => {
    const rejected = new Set<string | null>()
    let count = 0
    const bend: Bend = (fetch) => async (request) => {
      count += 1
      const header = request.headers.get('Authorization')
      if (count % pick(150, 25) === 0 && header?.startsWith('Bearer ') === true) rejected.add(header)
      return rejected.has(header) ? Response.json({}, { status: 401 }) : fetch(request)
    }
    const { report, before, after } = await compareHoldings(bend)
    expect([report.leftovers, after, rejected.size > 1]).toEqual([[], before, true])
  })

  it('if the service stops on the way, and is started again', async () => {
    let count = 0
    let removing = 0
    const bend: Bend = (fetch) => async (request) => {
      count += 1
      if (request.headers.get('X-Correlation-ID')?.endsWith('-cleanup') === true) removing += 1
      if (count > pick(100, 40) && removing < 3) {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })
      }
      return fetch(request)
    }
    const { report, before, after } = await compareHoldings(bend)
    expect([report.leftovers, after, removing > 3]).toEqual([[], before, true])
    expect(report.fixFirst?.sentence).toMatch(/^the service stopped during the run/)
  })

  it('or reports each resource that may remain, soon, if the service crashes for good', async () => {
    let count = 0
    let refused = 0
    const bend: Bend = (fetch) => async (request) => {
      count += 1
      if (count <= pick(100, 40)) return fetch(request)
      refused += 1
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })
    }
    const { report, before, after } = await compareHoldings(bend)
    const created = after.length - before.length
    const named = report.leftovers.filter((one) => /^The resource .+ may remain: ECONNREFUSED\.$/.test(one))
    expect([created > 0, named.length >= created]).toEqual([true, true])
    // A few attempts in case it comes back, and then one or two for each resource.
    expect(refused).toBeLessThan(40 + 4 * named.length)
    expect(report.fixFirst?.sentence).toMatch(/^the service stopped during the run/)
  })

  it('if verify itself fails', async () => {
    const mock = await createMock()
    const before = await holdingsOf(mock)
    const onHeld = (name: string) => {
      if (name === 'lifecycle') throw new RangeError('no more names')
    }
    const run = verifyFetch((request) => mock.fetch(request), { isQuick: true, onHeld })
    await expect(run).rejects.toThrow('no more names')
    expect(await holdingsOf(mock)).toEqual(before)
  })

  it.each([
    ['fails', ['deleteResource'], 503, / may remain: the service answered 503\.$/],
    ['refuses it', ['deleteResource'], 400, /^The resource with the key verify[0-9a-f]{12}-\w+ still exists\.$/],
  ] as const)('or reports what it could not remove if the service %s', async (_what, operations, status, sentence) => {
    const bend: Bend = (fetch) => async (request) =>
      operations.some((operation) => operation === operationOf(request))
        ? Response.json({}, { status })
        : fetch(request)
    const { leftovers } = await verifyMock({ bend, only: ['lists-after-writes'] })
    expect(leftovers.length).toBeGreaterThan(0)
    expect(leftovers[0]).toMatch(sentence)
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
  it('are not written to in the other project, if both projects count their ids', async () => {
    const foreign = new Set<string>()
    const mock = await createMock({ auth: 'lenient', generate: 300 })
    const countingBend: Bend = (fetch) => {
      const send = countedIds(fetch)
      return (request) => {
        const { pathname } = new URL(request.url)
        if (/^\/acme-other\/resource\/\d+$/.test(pathname) && request.method !== 'GET') foreign.add(pathname)
        return send(request)
      }
    }
    const report = await verifyFetch(
      countingBend((request) => mock.fetch(request)),
      {
        credentials: { kind: 'token', token: 'any-token' },
        only: ['other-ids', 'two-projects', 'other-project', 'deletions'],
      },
    )
    expect([sentencesOf(report), report.leftovers]).toEqual([[], []])
    // Only the resource that verify created there.
    expect(foreign.size).toBe(1)
  })

  it('are not written to by key if keys are ignored', async () => {
    const asked: string[] = []
    const bend: Bend = (fetch) => (request) => {
      // An upload to a variant with verify's own key, or to one that nobody has, changes none of the others.
      if (!/[?&](?:sku=verify|variant=2000000000$)/.test(request.url)) asked.push(`${operationOf(request)}`)
      return bendRequests('createResource', (one) => withJson(one, (body) => delete body['key']))(fetch)(request)
    }
    const { report, before, after } = await compareHoldings(bend)
    expect(asked.filter((id) => ['putResource', 'overwriteResource', 'uploadImage'].includes(id))).toEqual([])
    expect(report.conversations).toContainEqual(
      expect.objectContaining({
        name: 'overwrites',
        compared: 0,
        reasons: [expect.stringContaining('could overwrite')],
      }),
    )
    expect(after).toEqual(before)
  })

  it('are not deleted, even if a service returns them for a key', async () => {
    const bend: Bend = (fetch) => async (request) =>
      bendRequests(
        'getResourceByKey',
        (one) => new Request('http://mock/acme/resource/key=oak-side-table', one),
      )(bendAnswers('createResource', ({ headers, body }) => (headers.delete('Location'), delete body['id']))(fetch))(
        request,
      )
    const { before, after } = await compareHoldings(bend)
    expect(after.filter((one) => before.includes(one))).toEqual(before)
  })
})

describe('read-only', () => {
  it('sends only GET and HEAD, and token requests', async () => {
    const asked = new Set<string>()
    const bend: Bend = (fetch) => (request) => {
      asked.add(`${request.method} ${new URL(request.url).pathname.split('/')[1]}`)
      return fetch(request)
    }
    await verifyMock({ bend, allowsWrites: false, isQuick: true })
    expect([...asked].filter((one) => !/^(?:GET|HEAD) |^POST oauth$/.test(one))).toEqual([])
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
  ] as const)('%s', async (_case, run, sentence) => {
    const mock = { auth: 'strict', clients: ['shop:secret'] } as const
    const credentials = { kind: 'token', token: 'manage_project:acme' } as const
    const running = verifyMock({ mock, credentials, ...run })
    await expect(running).rejects.toThrow(SetupError)
    await expect(running).rejects.toThrow(sentence)
  })
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
  const report = await verifyMock({ bend, timeout: 1000, only: ['heads'], allowsWrites: false })
  expect(sentencesOf(report)).toEqual([
    expect.stringMatching(/^getAction: HEAD .+ the service no response within 1000 ms/),
  ])
  expect([...times]).toEqual([1000])
})
