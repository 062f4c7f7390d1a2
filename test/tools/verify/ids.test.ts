import { expect, it } from 'vitest'
import { SetupError } from '../../../src/errors.ts'
import { createNumbered } from './services/numbered.ts'
import { toCall, toFetch } from './services/service.ts'
import { createTerse } from './services/terse.ts'
import { verifyFetch } from './verifier.ts'

const credentials = { kind: 'client', client: 'shop:secret' } as const

/** A service that shows no ids, with a resource, and a fault that shows in reads by id alone. */
function createSilent() {
  const handle = createTerse({
    liberties: ['Creates send no Location, so that nobody learns an id'],
    breaches: ['optionalQueryParameter is refused'],
  })
  const asClient = { authorization: 'Basic YTpi' }
  const { json } = handle(toCall('POST', '/oauth/token', asClient, Buffer.from('scope=manage_test:acme')))
  const authorization = `Bearer ${(json as { access_token: string }).access_token}`
  handle(toCall('POST', '/acme/resource', { authorization }, Buffer.from('{"objectTypeProperty":{}}')))
  return toFetch(handle)
}
/** The id of its first resource. */
const ID = 'r63z-1'

it('reads the resource whose id is given, if the service shows none', async () => {
  const only = ['getResourceById']
  const without = await verifyFetch(createSilent(), { credentials, isQuick: true, only })
  expect(without.mismatches.filter(({ kind }) => kind === 'violation')).toEqual([])
  expect(without.notes).toContain('No answer showed an id. Use --id to give that of a resource to read.')
  const { mismatches, leftovers } = await verifyFetch(createSilent(), { credentials, isQuick: true, only, id: ID })
  expect(mismatches.map(({ kind, section }) => [kind, section])).toContainEqual(['violation', '4.2'])
  expect(leftovers).toEqual([])
})

it('refuses an id that the service does not have', async () => {
  const running = verifyFetch(createSilent(), { credentials, isQuick: true, id: 'nobody' })
  await expect(running).rejects.toThrow(SetupError)
  await expect(running).rejects.toThrow('--id nobody: GET of this resource returned 404.')
})

it('says how it learnt ids', async () => {
  const options = { credentials: { ...credentials, tokenUrl: 'http://mock/auth/token' }, only: ['two-projects'] }
  const { notes } = await verifyFetch(toFetch(createNumbered()), options)
  expect(notes).toContain('Ids were learnt from id in the body.')
})

it('judges an update by what a later read shows, even if --only names updateResource alone', async () => {
  const service = toFetch(createNumbered({ breaches: ['A stale update answers 409 and is applied'] }))
  const options = { credentials: { ...credentials, tokenUrl: 'http://mock/auth/token' }, only: ['updateResource'] }
  const { mismatches } = await verifyFetch(service, { ...options, isQuick: true })
  const [first] = mismatches
  expect([first?.kind, first?.operation, first?.section]).toEqual(['violation', 'getResourceById', '7, 9'])
})
