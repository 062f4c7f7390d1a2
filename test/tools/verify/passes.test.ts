import { expect, it } from 'vitest'
import { subjects } from '../../../src/tools/verify/checks.ts'
import { bendAnswers } from './bends.ts'
import { idsOf, verifyMock } from './verifier.ts'

const client = { kind: 'client', client: 'shop:secret' } as const
const any = { kind: 'token', token: 'any-token' } as const
const spelled = {
  kind: 'token',
  token: 'manage_test:acme,manage_products:acme',
} as const

it.each([
  ['a client', { credentials: client }],
  ['under --strict', { mock: { strict: true } }],
  ['with no resource at first', { mock: { fixtures: { 'resources.json': '[]' } } }],
] as const)('the mock passes every check: %s', async (_case, run) => {
  const report = await verifyMock(run)
  expect([idsOf(report, 'failed'), idsOf(report, 'untried'), report.leftovers]).toEqual([[], [], []])
})

it.each([
  ['any token', { credentials: any }],
  ['a token that spells its scopes', { credentials: spelled }],
  ['a token that spells its scopes, under --auth strict', { credentials: spelled, mock: { auth: 'strict' as const } }],
] as const)('the mock passes everything but scopes and tokens, which one token cannot test: %s', async (_case, run) => {
  const report = await verifyMock(run)
  // A token of one project does not give access to another.
  const others = ['tokenEndpoints/', 'anyPath/projects']
  const names = idsOf(report, 'untried').filter((id) => !others.some((other) => id.startsWith(other)))
  expect(idsOf(report, 'failed')).toEqual([])
  expect(new Set(names.map((id) => id.split('/')[1]))).toEqual(
    new Set(['scope', 'own-scope', 'project-scope', 'manage-project', 'forged-token']),
  )
})

it.each([
  ['by fixtures', {}],
  ['by what is generated', { mock: { generate: 50 } }],
  ['where there is nothing to read', { mock: { fixtures: { 'resources.json': '[]' } } }],
  [
    'where there is one resource without a key',
    { mock: { fixtures: { 'resources.json': '[{"objectTypeProperty":{}}]' } } },
  ],
] as const)('the mock passes every read check: %s', async (_case, run) => {
  const report = await verifyMock({ ...run, allowsWrites: false })
  expect(idsOf(report, 'failed')).toEqual([])
})

it('reports checks that need more scopes than the token has', async () => {
  const report = await verifyMock({ credentials: { kind: 'token', token: 'view_test:acme' } })
  expect(idsOf(report, 'failed')).toContain('createResource/status')
  expect(idsOf(report, 'untried')).toContain('getResourceById/resource')
})

it('detects a mock that requires no token', async () => {
  const report = await verifyMock({ credentials: any, mock: { auth: 'off' } })
  const names = new Set(idsOf(report, 'failed').map((id) => id.split('/')[1]))
  expect(names).toEqual(new Set(['no-token', 'bad-token']))
})

it.each([
  ['createResource', 200],
  ['overwriteResource', 200],
  ['putResource', 200],
  ['deleteResource', 204],
] as const)('reports that %s responds with %i', async (operation, status) => {
  const bend = bendAnswers(operation, (bent) => (bent.status = status))
  const report = await verifyMock({ bend, only: [operation] })
  expect(idsOf(report, 'failed')).toContain(`${operation}/status`)
})

it('passes no check on an HTML page', async () => {
  const html = async () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } })
  const report = await verifyMock({ credentials: any, allowsWrites: false, fetch: html })
  const names = new Set(idsOf(report, 'held').map((id) => id.split('/')[1]))
  expect(names).toEqual(new Set(['status']))
})

it('reports each subject as it is examined', async () => {
  const told: string[] = []
  await verifyMock({ only: ['getAction', 'anyPath'], onSubject: (id) => told.push(id) })
  expect(told.toSorted()).toEqual(['anyPath', 'getAction'])
})

it('reports every check of every operation, tried or not', async () => {
  const report = await verifyMock({ allowsWrites: false })
  const told = report.subjects.flatMap((one) => one.checks.map(({ id }) => id))
  const known = Object.entries(subjects).flatMap(([id, all]) => Object.keys(all.checks).map((name) => `${id}/${name}`))
  expect(told.toSorted()).toEqual(known.toSorted())
})

it('checks only the requested operations', async () => {
  const report = await verifyMock({ only: ['getAction', 'postComplex'] })
  expect(report.subjects.map(({ subject }) => subject)).toEqual(['postComplex', 'getAction'])
})
