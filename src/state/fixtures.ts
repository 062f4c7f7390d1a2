import { runAtOnce } from '../util/steps.ts'
import * as z from 'zod'
import { arrayTestType, cart } from '../contract/models.ts'
import { parseJson, stringifyJson } from '../http/json.ts'
import { builtinFixtures } from './builtin-fixtures.ts'
import { toFixtureFault, toSchemaFault, toSyntaxFault } from './fixture-fault.ts'
import type { FixtureFile } from './fixture-fault.ts'
import { findCartLocale, fixtureFiles, mergeFixtures } from './fixture-files.ts'
import { locate } from './fixture-location.ts'
import { fixtureRecord } from './fixture-schema.ts'
import type { StoredResource } from './resource.ts'
import { findDuplicate, toResource } from './resource-record.ts'

/** What every project starts with, and the payloads that are answered as they are. */
export interface Fixtures {
  /** In creation order, which is their order in the file. */
  readonly resources: readonly StoredResource[]
  /** JSON text of the complex POST's 200 and 201 (D16). */
  readonly arrayTestType: string
  /** JSON texts of the complex POST's 203 (D16). */
  readonly custom: Readonly<Record<'custom1' | 'custom2', string>>
  /** JSON text of the first action payload (D22). */
  readonly action: string
  /** JSON texts of the cart by locale; `''` is the default cart's (D23). */
  readonly carts: ReadonlyMap<string, string>
}

/** The content of a fixture file, its members in the order of the specification's tables (D8). */
async function readFixture<Schema extends z.ZodType>(file: FixtureFile, schema: Schema): Promise<z.output<Schema>> {
  let content: unknown
  try {
    content = parseJson(file.text)
  } catch (fault) {
    throw toSyntaxFault(file, fault)
  }
  // The tests hold the built-in files to their schemas and order, so that a start, which has to be quick, need not.
  if (file.text === builtinFixtures[file.name]) return content as z.output<Schema>
  const result = schema.safeParse(content)
  if (result.success) return result.data
  throw await toSchemaFault(file, schema, result.error)
}

/** Each id and each key names one resource (D5, D6). */
async function checkUnique(file: FixtureFile, resources: readonly StoredResource[]): Promise<void> {
  const duplicate = runAtOnce(findDuplicate(resources))
  if (duplicate === undefined) return
  const { member, value, first, second } = duplicate
  const { line } = await locate(file.text, [first, member])
  throw await toFixtureFault(
    file,
    [second, member],
    () => `${JSON.stringify(value)} is already the ${member} of [${first}] in line ${line}. Change one of them.`,
  )
}

async function readResources(file: FixtureFile): Promise<readonly StoredResource[]> {
  const records = await readFixture(file, z.array(fixtureRecord))
  const resources = records.map(toResource)
  await checkUnique(file, resources)
  return resources
}

/**
 * Reads the fixtures: the built-in ones, with the user's own in the place of those of the same name. Left out of a
 * record, `id` is its place in the file as a UUID (`00000000-0000-4000-8000-000000000001` is the first), `version` 1,
 * `createdAt` 2024-01-01T00:00:00.000Z and `lastModifiedAt` the same as `createdAt`.
 *
 * @param own texts by file name, such as `resources.json`; other files than `.json` are not looked at
 * @throws {SetupError} for the first fault: its file, line, column and JSON path, what was expected and what found
 */
export async function loadFixtures(own: Readonly<Record<string, string>> = {}): Promise<Fixtures> {
  const texts = mergeFixtures(builtinFixtures, own)
  const fileOf = (name: string): FixtureFile => ({ name, text: texts.get(name) ?? '' })
  const payloadOf = async (name: string, schema: z.ZodType) => stringifyJson(await readFixture(fileOf(name), schema))

  const carts = new Map<string, string>()
  for (const name of texts.keys()) {
    const locale = findCartLocale(name)
    if (locale !== undefined) carts.set(locale, await payloadOf(name, cart))
  }
  return {
    resources: await readResources(fileOf(fixtureFiles.resources)),
    arrayTestType: await payloadOf(fixtureFiles.arrayTestType, arrayTestType),
    custom: {
      custom1: await payloadOf(fixtureFiles.custom1, arrayTestType),
      custom2: await payloadOf(fixtureFiles.custom2, arrayTestType),
    },
    action: await payloadOf(fixtureFiles.action, z.unknown()),
    carts,
  }
}
