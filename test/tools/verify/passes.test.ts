import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { operationIds } from '../../../src/service/contract/endpoints.ts'
import { findServicePath } from '../../../src/service/contract/paths.ts'
import { createConversations } from '../../../src/tools/verify/conversations/all.ts'
import { conversationNames } from '../../../src/tools/verify/subjects.ts'
import { sentencesOf, verifyMock } from './verifier.ts'

const token = { kind: 'token', token: 'any-token' } as const

// The others are in passes.slow.test.ts.
it.each([
  ['with --auth strict', { isQuick: true }],
  ['without writes', { isQuick: true, allowsWrites: false }],
] as const)('the mock answers like the mock %s', async (_case, run) => {
  const report = await verifyMock(run)
  expect([sentencesOf(report), report.leftovers]).toEqual([[], []])
  expect(report.requests).toBeLessThanOrEqual(600)
})

it('detects a mock that accepts any token behind a proxy that hides its headers', async () => {
  const report = await verifyMock({
    mock: { auth: 'lenient' },
    only: ['no-token', 'authorization'],
    bend: (fetch) => async (request) => {
      const response = await fetch(request)
      const headers = new Headers(response.headers)
      headers.delete('X-Mock-Operation')
      return new Response(response.body, { status: response.status, headers })
    },
  })
  expect(report.fixFirst?.sentence).toContain(
    'a request without a valid token is accepted with 200, not refused with 401',
  )
})

it('asks for the same conversations with the same seed, and for others with another one', () => {
  const ask = (seed: number) =>
    JSON.stringify(
      createConversations({ seed, isQuick: false, isStrict: false, found: undefined, hasToken: true }),
      (_, value: unknown) => {
        // As JSON, the megabytes of an image would take minutes.
        if (value instanceof Uint8Array) return createHash('sha256').update(value).digest('hex')
        return typeof value === 'bigint' ? String(value) : value
      },
    )
  expect(ask(1)).toBe(ask(1))
  expect(ask(2)).not.toBe(ask(1))
})

it('--only knows the names of all conversations', () => {
  const groups = createConversations({ seed: 1, isQuick: false, isStrict: false, found: undefined, hasToken: true })
  const names = new Set(groups.flat().map(({ name }) => name))
  expect([...names].toSorted()).toEqual(conversationNames.toSorted())
})

it('has a conversation about each operation', () => {
  const groups = createConversations({ seed: 1, isQuick: false, isStrict: false, found: undefined, hasToken: true })
  const steps = groups.flat().flatMap((conversation) => conversation.steps)
  const sent = new Set(
    steps.map(({ method, path }) => new Map<string, string>(findServicePath(path)?.path.operations).get(method)),
  )
  expect(operationIds.filter((id) => !sent.has(id))).toEqual([])
})

it('compares only what --only names', async () => {
  const { conversations } = await verifyMock({ only: ['carts', 'deletions'] })
  expect(conversations.map(({ name }) => name).toSorted()).toEqual(['carts', 'deletions'])
})

it('creates the resources that the searches and queries of --only are about', async () => {
  const { conversations } = await verifyMock({ only: ['searchResources'], isQuick: true })
  expect(conversations.map(({ name }) => name)).toContain('resources')
})

it('finds violations in every documented conversation with a service that is an HTML page', async () => {
  const html = async () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } })
  const { conversations, mismatches } = await verifyMock({
    credentials: token,
    allowsWrites: false,
    fetch: html,
    isQuick: true,
  })
  const isFaulty = (name: string) => conversations.some((one) => one.name === name && one.otherwise > 0)
  expect(['parameters-alone', 'carts', 'no-token'].filter((name) => !isFaulty(name))).toEqual([])
  expect(mismatches.length).toBeGreaterThan(0)
})

it('reports each conversation as it ends', async () => {
  const told: string[] = []
  await verifyMock({ only: ['carts', '203'], onHeld: (name) => told.push(name) })
  expect(new Set(told)).toEqual(new Set(['carts', '203']))
})
