import * as z from 'zod'
import { resourceKey, arrayTestType, cart } from '../contract/models.ts'
import { isGeneratedKey } from './generate.ts'
import { resourceRecord, findDuplicate, toResource } from './records.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { listProblems, toSingleIssues, toSyntaxError } from '../../util/file-problems.ts'
import { SetupError } from '../../errors.ts'
import { toPath, parseJson, stringifyJson } from '../http/json.ts'
import { findMembers } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import { builtinPayloads, createBuiltinRecords } from './builtin-fixtures.ts'
import type { ElementNode, MemberNode, ValueNode } from '@humanwhocodes/momoa'
import type { ResourceRecord } from './records.ts'
import type { StoredResource } from './resource.ts'

const key = resourceKey.refine((text) => !isGeneratedKey(text), {
  error: 'expected a key that is not reserved for generated resources (generated-1, generated-2, …).',
})

/** A record of `resources.json`. */
export const fixtureRecord = resourceRecord.extend({
  id: z.guid({ error: 'UUID expected.' }).optional(),
  key: key.optional(),
})

/**
 * The JSON Schema (draft 2020-12) of fixture files: the schema of `resources.json`, with carts and complex payloads in its
 * `$defs`.
 */
export function toFixtureJsonSchema(): unknown {
  const files = z.object({ resources: z.array(fixtureRecord), arrayTestType, cart })
  const { $schema, $defs, properties } = z.toJSONSchema(files, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // The decision numbers behind a schema, for the OpenAPI document.
      delete jsonSchema['decisions']
      // The format already says this.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  return {
    $schema,
    title: 'The fixture file resources.json of resource-mock',
    ...Object(properties?.['resources']),
    $defs,
  }
}

/** The location of a value in a JSON text; lines and columns count from 1. */
interface TextLocation {
  readonly line: number
  readonly column: number
  /** The source text of the value. Undefined if the path has no value; the location is then its parent's. */
  readonly source?: string
}

function findChild(node: ValueNode, step: PropertyKey): ElementNode | MemberNode | undefined {
  if (node.type === 'Array' && typeof step === 'number') return node.elements[step]
  if (node.type !== 'Object') return undefined
  return node.members.find(({ name }) => (name.type === 'String' ? name.value : name.name) === step)
}

/**
 * Creates a function that locates paths in valid JSON text; with `atName`, the name of the path's last member. Loads the
 * location-aware parser on demand, since valid text does not need it.
 */
export async function createLocate(
  text: string,
): Promise<(path: readonly PropertyKey[], atName?: boolean) => TextLocation> {
  const { parse } = await import('@humanwhocodes/momoa')
  const { body } = parse(text)
  return function locate(path, atName = false) {
    let node = body
    for (const [depth, step] of path.entries()) {
      const child = findChild(node, step)
      if (child === undefined) return node.loc.start
      if (atName && depth === path.length - 1 && 'name' in child) return child.name.loc.start
      node = child.value
    }
    const { start, end } = node.loc
    return { line: start.line, column: start.column, source: text.slice(start.offset, end.offset) }
  }
}

/** A fixture file of the user. */
interface FixtureFile {
  readonly name: string
  readonly text: string
}

/** Maximum length of file content quoted in a message. */
const LONGEST_SOURCE = 60

const shortenSource = (source: string): string => {
  const line = source.replaceAll(/\s+/g, ' ')
  return line.length > LONGEST_SOURCE ? `${line.slice(0, LONGEST_SOURCE)}…` : line
}

/** `JSON Array expected` for a wrong type, otherwise the contract's message for the value. */
function toFixtureExpectation(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message.replace(/\.$/, '')
  return `JSON ${issue.expected.slice(0, 1).toUpperCase()}${issue.expected.slice(1)} expected`
}

const toFixtureSentence = (name: string, { line, column }: TextLocation, path: readonly PropertyKey[], what: string) =>
  `fixtures ${name}:${line}:${column}${path.length === 0 ? '' : ` ${toPath(path)}`}: ${what}`

/** Describes the issues that a schema has with a fixture file, in their order in the file. */
async function toSchemaError({ name, text }: FixtureFile, schema: z.ZodType, { issues }: z.ZodError) {
  const locate = await createLocate(text)
  const problems = toSingleIssues(issues).map((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      const location = locate(issue.path)
      const { source } = location
      const what =
        source === undefined
          ? 'required, but missing.'
          : `${toFixtureExpectation(issue)}, found ${shortenSource(source)}.`
      return { location, sentence: toFixtureSentence(name, location, issue.path, what) }
    }
    const [member = ''] = issue.keys
    const known = findMembers(schema, issue.path)
    const path = [...issue.path, member]
    const location = locate(path)
    const what = `unknown member.${didYouMean(member, known)} Known members: ${known.join(', ')}.`
    return { location, sentence: toFixtureSentence(name, location, path, what) }
  })
  const inOrder = problems.toSorted(
    (a, b) => a.location.line - b.location.line || a.location.column - b.location.column,
  )
  return new SetupError(listProblems(inOrder.map(({ sentence }) => sentence)))
}

const { custom1, custom2 } = endpoints.postComplex.responses[203].examples

/** The names of the files without a locale, by content. */
export const fixtureFiles = {
  resources: 'resources.json',
  arrayTestType: 'array-test-type.json',
  custom1,
  custom2,
  cart: 'cart.json',
  action: 'action.json',
} as const

const fixtureNames: readonly string[] = Object.values(fixtureFiles)
/** The byte order mark, which some editors write at the start of a file. JSON does not allow it (RFC 8259, section 8.1). */
const BYTE_ORDER_MARK = /^\uFEFF/
const LOCALISED_CART = /^cart\.(.*)\.json$/

/** `de-DE` for `de-de`; undefined if it is not a locale (BCP 47). */
function findLocale(text: string): string | undefined {
  if (!/^[a-z]{2,3}(?:-[a-z\d]+)*$/i.test(text)) return undefined
  try {
    return new Intl.Locale(text).toString()
  } catch {
    return undefined
  }
}

/** The locale in a cart's file name, `''` for the default cart; undefined for other files. */
export const findCartLocale = (file: string): string | undefined =>
  file === fixtureFiles.cart ? '' : LOCALISED_CART.exec(file)?.[1]

const isLocalisedCart = (file: string): boolean => LOCALISED_CART.test(file)

function checkName(file: string): void {
  if (fixtureNames.includes(file)) return
  const written = findCartLocale(file)
  if (written === undefined) {
    throw new SetupError(
      `fixtures ${file}: unknown fixture file.${didYouMean(file, fixtureNames)} The mock reads ${fixtureNames.join(', ')} and cart.<locale>.json.`,
    )
  }
  const locale = findLocale(written.replaceAll('_', '-'))
  if (locale === undefined) {
    throw new SetupError(
      `fixtures ${file}: ${JSON.stringify(written)} is not a locale. Use a name like cart.de-DE.json or cart.de.json.`,
    )
  }
  if (locale !== written)
    throw new SetupError(`fixtures ${file}: rename it to cart.${locale}.json, the canonical spelling of the locale.`)
}

/**
 * The user's texts, by file name. Files other than `.json` are ignored.
 *
 * @throws {SetupError} for a `.json` file, in whatever case, that is not one of the fixture files
 */
function readOwn(own: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const texts = Object.entries(own).filter(([file]) => /\.json$/i.test(file))
  for (const [file] of texts) checkName(file)
  return new Map(texts.map(([file, text]) => [file, text.replace(BYTE_ORDER_MARK, '')]))
}

/**
 * The names of the cart files, the user's and built-in ones. A user's cart without localized versions replaces the built-in
 * localized carts too, because those belong to another shop (D23).
 */
function listCarts(own: ReadonlyMap<string, string>): ReadonlySet<string> {
  const isOnlyCart = own.has(fixtureFiles.cart) && ![...own.keys()].some(isLocalisedCart)
  const builtin = isOnlyCart ? [] : Object.keys(builtinPayloads)
  return new Set([...builtin, ...own.keys()].filter((file) => findCartLocale(file) !== undefined))
}

/** The initial data of every project, and the static payloads. */
export interface Fixtures {
  /** In creation order, which is the file's order. */
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

/** The content of a user's fixture file, with its members in the order of the specification's tables (D8). */
async function readFixture<Schema extends z.ZodType>(file: FixtureFile, schema: Schema): Promise<z.output<Schema>> {
  let content: unknown
  try {
    content = parseJson(file.text)
  } catch (fault) {
    if (file.text.trim() === '')
      throw new SetupError(
        `fixtures ${file.name}:1:1: the file is empty; expected JSON. Write some, or delete the file.`,
      )
    throw toSyntaxError(fault, `fixtures ${file.name}`)
  }
  const result = schema.safeParse(content)
  if (result.success) return result.data
  throw await toSchemaError(file, schema, result.error)
}

/** Checks that ids and keys are unique (D5, D6). */
async function checkUnique({ name, text }: FixtureFile, resources: readonly StoredResource[]): Promise<void> {
  const duplicate = findDuplicate(resources)
  if (duplicate === undefined) return
  const { member, value, first, second } = duplicate
  const locate = await createLocate(text)
  const { line } = locate([first, member])
  const path = [second, member]
  const what = `${JSON.stringify(value)} is already the ${member} of [${first}] in line ${line}. Change one of them.`
  throw new SetupError(toFixtureSentence(name, locate(path), path, what))
}

/**
 * Reads the fixtures: the built-in files, overridden by the user's files of the same name. Defaults for a record: `id` is
 * its position in the file as a UUID (`00000000-0000-4000-8000-000000000001` for the first), `version` is 1, `createdAt` is
 * 2024-01-01T00:00:00.000Z, and `lastModifiedAt` equals `createdAt`.
 *
 * @param own texts by file name, such as `resources.json`; files other than `.json` are ignored
 * @throws {SetupError} for the first invalid file, with a line for each problem: its file, line, column, JSON path, and the
 *   expected and actual values
 */
export async function loadFixtures(own: Readonly<Record<string, string>> = {}): Promise<Fixtures> {
  return Object.keys(own).length === 0 ? (builtin ??= parseFixtures(new Map())) : parseFixtures(readOwn(own))
}

/** All mocks of a process share the built-in fixtures, which never change: reading them took most of the time of `createMock`. */
let builtin: Promise<Fixtures> | undefined

/** Takes the built-in files as they are: tests check their schemas and order. */
async function parseFixtures(own: ReadonlyMap<string, string>): Promise<Fixtures> {
  async function payloadOf(name: string, schema: z.ZodType): Promise<string> {
    const text = own.get(name)
    return text === undefined ? (builtinPayloads[name] ?? '') : stringifyJson(await readFixture({ name, text }, schema))
  }

  async function readResources(): Promise<readonly StoredResource[]> {
    const name = fixtureFiles.resources
    const text = own.get(name)
    if (text === undefined) return (createBuiltinRecords() as readonly ResourceRecord[]).map(toResource)
    const records = await readFixture({ name, text }, z.array(fixtureRecord))
    const resources = records.map(toResource)
    await checkUnique({ name, text }, resources)
    return resources
  }

  const carts = new Map<string, string>()
  for (const name of listCarts(own)) carts.set(findCartLocale(name) ?? '', await payloadOf(name, cart))
  return {
    resources: await readResources(),
    arrayTestType: await payloadOf(fixtureFiles.arrayTestType, arrayTestType),
    custom: {
      custom1: await payloadOf(fixtureFiles.custom1, arrayTestType),
      custom2: await payloadOf(fixtureFiles.custom2, arrayTestType),
    },
    action: await payloadOf(fixtureFiles.action, z.unknown()),
    carts,
  }
}
