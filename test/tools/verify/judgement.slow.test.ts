import { describe, expect, it } from 'vitest'
import { services } from './services/all.ts'
import { toFetch } from './services/service.ts'
import type { Switched } from './services/service.ts'
import { verifyFetch } from './verifier.ts'

/** The violations that a quick run finds in a service with switches. */
async function findViolations({ create, tokenPath }: (typeof services)[number], switched: Switched, seed = 1) {
  const credentials = { kind: 'client', client: 'shop:secret', tokenUrl: `http://mock${tokenPath}` } as const
  const { mismatches } = await verifyFetch(toFetch(create(switched)), { credentials, isQuick: true, seed })
  return mismatches.filter(({ kind }) => kind === 'violation').map(({ sentence }) => sentence)
}

/** Each of the names in one of the groups, those far apart together. */
const toGroups = (names: readonly string[], size: number): readonly (readonly string[])[] => {
  const count = Math.ceil(names.length / size)
  return Array.from({ length: count }, (_, group) => names.filter((__, index) => index % count === group))
}

describe.each(services)('verify, of the service $name,', (service) => {
  it('finds no violation', async () => {
    expect(await findViolations(service, {})).toEqual([])
  })

  const names = service.liberties.map(({ name }) => name)
  it.each(toGroups(names, 10))('finds no violation, though: %s; %s; %s', async (...liberties) => {
    expect(await findViolations(service, { liberties })).toEqual([])
  })
})
