import { describe, expect, it } from 'vitest'
import type { VerifyOptions } from '../../../src/tools/verify/verify.ts'
import { services } from './services/all.ts'
import { BREACHES } from './services/breaches.ts'
import { toFetch } from './services/service.ts'
import type { Switched } from './services/service.ts'
import { verifyFetch } from './verifier.ts'

type Service = (typeof services)[number]

/** Verifies a service with switches, quickly. */
function judge({ create, tokenPath }: Service, switched: Switched, options: Partial<VerifyOptions> = {}) {
  const credentials = { kind: 'client', client: 'shop:secret', tokenUrl: `http://mock${tokenPath}` } as const
  return verifyFetch(toFetch(create(switched)), { credentials, isQuick: true, ...options })
}

/** The violations and leftovers of a service with switches. */
async function findFaults(...args: Parameters<typeof judge>): Promise<readonly string[]> {
  const { mismatches, leftovers } = await judge(...args)
  return [...mismatches.filter(({ kind }) => kind === 'violation').map(({ sentence }) => sentence), ...leftovers]
}

/** Each of the names in one of the groups, those far apart together. */
const toGroups = (names: readonly string[], size: number): readonly (readonly string[])[] => {
  const count = Math.ceil(names.length / size)
  return Array.from({ length: count }, (_, group) => names.filter((__, index) => index % count === group))
}

/** What shows a breach of a section; everything does, if the section is not listed. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  '4.1': ['queryResources'],
  '4.2': ['getResourceById'],
  '4.3': ['getResourceByKey'],
  '4.4': ['searchResources'],
  '4.5': ['checkResources'],
  '4.7': ['overwriteResource'],
  '4.8': ['putResource'],
  '4.9': ['postComplex'],
  '4.10': ['updateResource'],
  '4.11': ['deleteResource'],
  '4.12': ['sortedQuery'],
  '4.13': ['uploadImage'],
  '4.14': ['getAction', 'postAction'],
  '4.15': ['getActionWithExample'],
  '4.16': ['getActionWithHeaders'],
  '5': ['scopes', 'no-token', 'authorization'],
  '7': ['updateResource'],
  '8': ['uploadImage', 'searchResources'],
}

describe.each(services)('verify, of the service $name,', (service) => {
  it.each([1, 2, 3])('finds no violation, and leaves nothing behind, with the seed %i', async (seed) => {
    expect(await findFaults(service, {}, { seed })).toEqual([])
  })

  it('finds no violation in a whole run', async () => {
    expect(await findFaults(service, {}, { isQuick: false })).toEqual([])
  })

  const names = service.liberties.map(({ name }) => name)
  it.each(toGroups(names, 10))('finds no violation, though: %s; %s; %s', async (...liberties) => {
    expect(await findFaults(service, { liberties })).toEqual([])
  })

  // Each breach in one of the services, or in the only one that can have it.
  const breaches = BREACHES.filter(({ only }, index) => (only ?? services[index % 2]?.name) === service.name)
  it.each(breaches)('finds a violation: $name', async ({ name, section }) => {
    const { mismatches, fixFirst, notFound } = await judge(service, { breaches: [name] }, { only: SHOWN_BY[section] })
    expect(mismatches[0]).toMatchObject({ kind: 'violation', section: expect.stringMatching(/^\d[\d., ]*$/) })
    expect(fixFirst ?? notFound[0]).toBeDefined()
  })
})
