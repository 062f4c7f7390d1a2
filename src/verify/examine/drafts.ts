import { holdRefusal } from '../answers.ts'
import type { Bench } from '../bench.ts'
import { compare, fault, show } from '../fault.ts'
import type { Answer } from '../provider.ts'
import type { Fault } from '../report.ts'
import { findContent, findVersion } from '../resources.ts'
import type { Draft } from '../resources.ts'
import type { World } from '../world.ts'

/** Whether an answer tells a content and a version. */
export const findOtherContent = (answer: Answer, { objectTypeProperty }: Draft, version: number): readonly Fault[] => [
  ...compare(answer, 'objectTypeProperty', objectTypeProperty, findContent(answer)),
  ...compare(answer, 'version', version, findVersion(answer)),
]

const twoNumbersOf = (content: unknown): unknown =>
  typeof content === 'object' && content !== null && 'arrayOfTwonumbersExample' in content
    ? content.arrayOfTwonumbersExample
    : undefined

/**
 * Whether the provider holds a draft and a version at an id now; no fault where its answer does not tell. Two numbers
 * tell the drafts of a run apart: whether GET answers all of a content is what its own checks ask.
 */
export async function findLost(
  answer: Answer,
  id: string,
  { objectTypeProperty }: Draft,
  version: number,
  { resources }: World,
): Promise<readonly Fault[]> {
  const found = await resources.find(id)
  if (found.kind === 'missing') return fault(answer, 'body', `a resource that ${id} leads to`, 'none')
  if (found.kind === 'unclear') return []
  return [
    ...compare(
      answer,
      'objectTypeProperty.arrayOfTwonumbersExample as GET has it',
      objectTypeProperty.arrayOfTwonumbersExample,
      twoNumbersOf(found.content),
    ),
    ...(found.version === version ? [] : fault(answer, 'version as GET has it', show(version), show(found.version))),
  ]
}

/** Drafts that break the contract, each in one way (section 2, D2, D3). */
const toBroken = ({ key, objectTypeProperty }: Draft): readonly unknown[] => [
  { key },
  { key, objectTypeProperty: { ...objectTypeProperty, arrayOfStringExample: 'no array' } },
  { key, objectTypeProperty: { ...objectTypeProperty, arrayOfIntExample: [1.5] } },
  { key, objectTypeProperty: { ...objectTypeProperty, arrayOfIntExample: [9_223_372_036_854_775_808n] } },
]

/** A draft that breaks the contract is refused; the key is one that the ledger knows. */
export async function examineDrafts(
  bench: Bench<'body-refused' | 'envelope'>,
  operation: 'createResource' | 'putResource' | 'overwriteResource',
  draft: Draft,
  { provider }: World,
): Promise<void> {
  for (const json of toBroken(draft)) holdRefusal(bench, 'body-refused', await provider.send(operation, { json }), 400)
  const headers = { 'Content-Type': 'application/json' }
  holdRefusal(bench, 'body-refused', await provider.send(operation, { headers, body: '{"objectTypeProperty":' }), 400)
}
