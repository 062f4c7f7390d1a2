import { describe, expect, it } from 'vitest'
import { versionBytes } from '../../src/service/state/history.ts'
import type { Version } from '../../src/service/state/history.ts'
import { resourceBytes } from '../../src/service/state/resource.ts'
import type { StoredResource } from '../../src/service/state/resource.ts'
import { exchangeBytes } from '../../src/sessions/journal/record.ts'
import type { KeptMembers } from '../../src/sessions/journal/record.ts'
import { aResource } from '../service/state/records.ts'
import { toExchange } from './journal/exchanges.ts'

const LONG = 'x'.repeat(10_000)

/** A member whose size is counted, with a long value; or why its size need not be counted. */
type Kept<Record> = { readonly [Member in keyof Required<Record>]: { readonly long: unknown } | 'short' | 'part' }

/** Every member of an exchange: the compiler asks for a new one. */
const ofExchange: Kept<KeptMembers> = {
  time: 'short',
  durationMilliseconds: 'short',
  addedDelay: 'short',
  sessionName: 'short',
  correlationId: 'short',
  operation: 'short',
  // Of the URL.
  projectKey: 'part',
  scopes: { long: new Set([LONG]) },
  isPassedThrough: 'short',
  clientLeft: 'short',
  tookEffect: 'short',
  scenarios: { long: [LONG] },
  warnings: { long: [LONG] },
  unkeptWarnings: 'short',
  method: 'short',
  url: { long: LONG },
  requestHeaders: { long: [LONG] },
  keptRequestBody: { long: LONG },
  clientAddress: 'short',
  status: 'short',
  responseHeaders: { long: { Location: LONG } },
  keptResponseBody: { long: LONG },
  fault: 'short',
}

const ofResource: Kept<StoredResource> = {
  id: { long: LONG },
  key: { long: LONG },
  version: 'short',
  createdAt: 'short',
  lastModifiedAt: 'short',
  someProperty: { long: LONG },
  // Both are in the text.
  objectTypeProperty: 'part',
  propertyText: 'part',
  text: { long: LONG },
  staged: { long: { arrayOfStringExample: [LONG] } },
}

const ofVersion: Kept<Version> = {
  kind: 'short',
  resource: { long: { ...aResource('a'), text: LONG } },
  writer: { long: { kind: 'scenario', scenario: LONG, correlationId: 'a' } },
  restored: { long: { snapshot: LONG, time: '' } },
}

const findLong = (kept: Readonly<Record<string, unknown>>) =>
  Object.entries(kept).filter((entry): entry is [string, { long: unknown }] => typeof entry[1] === 'object')

describe('the memory of what is kept counts', () => {
  it.each(findLong(ofExchange))('%s of an exchange', (name, { long }) => {
    expect(exchangeBytes({ ...toExchange(), [name]: long }) - exchangeBytes(toExchange())).toBeGreaterThan(LONG.length)
  })

  it.each(findLong(ofResource))('%s of a resource', (name, { long }) => {
    const resource = aResource('a')
    expect(resourceBytes({ ...resource, [name]: long }) - resourceBytes(resource)).toBeGreaterThan(LONG.length)
  })

  it.each(findLong(ofVersion))('%s of a version', (name, { long }) => {
    const version: Version = { kind: 'put', resource: aResource('a') }
    expect(versionBytes({ ...version, [name]: long }) - versionBytes(version)).toBeGreaterThan(LONG.length)
  })
})
