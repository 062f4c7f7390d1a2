/**
 * Writes the built-in fixtures and scenarios, the files of `init`, the dashboard's files for the browser, and the version into
 * modules, so that the mock runs without a file system, and starts without parsing them. Integers above 2^53 are bigints (D3).
 *
 * Run it with: node scripts/embed.js
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, stringify } from 'lossless-json'
import { toClientModule } from './build-client.js'

/** @param {string} path from the project's root */
const fromRoot = (path) => new URL(`../${path}`, import.meta.url)

/** An integer beyond 2^53 becomes a bigint. @param {string} digits */
const parseNumber = (digits) =>
  Number.isSafeInteger(Number(digits)) || /\D/.test(digits.slice(1)) ? Number(digits) : BigInt(digits)

/** A JSON value as a JavaScript expression. @param {unknown} value @returns {string} */
function toExpression(value) {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(toExpression).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${toExpression(member)}`)
  return `{${members.join()}}`
}

/** The JSON files of a folder, by name. @param {string} folder @returns {Promise<readonly (readonly [string, string])[]>} */
async function readJsonFiles(folder) {
  const names = (await readdir(fromRoot(folder))).filter((file) => file.endsWith('.json')).toSorted()
  return Promise.all(
    names.map(async (file) => /** @type {const} */ ([file, await readFile(fromRoot(`${folder}/${file}`), 'utf8')])),
  )
}

/** @param {string} text the text of a JSON file */
const toFileExpression = (text) => toExpression(parse(text, undefined, { parseNumber }))

/** The members of an object, each on a line. @param {readonly (readonly [string, string])[]} members with expressions */
const toMembers = (members) => members.map(([name, value]) => `  ${JSON.stringify(name)}: ${value},\n`).join('')

/** @param {string} folder */
const toHead = (folder) =>
  `// Generated from ${folder}/ by scripts/embed.js: change the files there, then run \`node scripts/embed.js\`.`

const RECORDS = 'resources.json'

/** The module with the built-in fixtures. @returns {Promise<string>} */
async function toFixtureModule() {
  const files = await readJsonFiles('fixtures')
  const records = files.find(([file]) => file === RECORDS)?.[1] ?? '[]'
  const payloads = files.filter(([file]) => file !== RECORDS)
  return `${toHead('fixtures')}

/** Creates the content of ${RECORDS}. */
export const createBuiltinRecords: () => unknown = () => (${toFileExpression(records)})

/** The texts of the other files, without white space, by file name. */
export const builtinPayloads: Readonly<Record<string, string>> = {
${toMembers(payloads.map(([file, text]) => [file, JSON.stringify(stringify(parse(text)))]))}}

/** The texts of all files as they are, by file name. */
export const builtinFixtureTexts: Readonly<Record<string, string>> = {
${toMembers(files.map(([file, text]) => [file, JSON.stringify(text)]))}}
`
}

/** A built-in scenario with the content of its body files as texts. @param {string} text @returns {Promise<string>} */
async function embedBodyFiles(text) {
  const scenario = JSON.parse(text)
  for (const { effect } of scenario.rules) {
    const { bodyFile, ...answer } = effect.answer ?? {}
    if (bodyFile === undefined) continue
    effect.answer = { ...answer, text: await readFile(fromRoot(`scenarios/${bodyFile}`), 'utf8') }
  }
  return JSON.stringify(scenario)
}

/** The module with the built-in scenarios. @returns {Promise<string>} */
async function toScenarioModule() {
  const files = await Promise.all(
    (await readJsonFiles('scenarios')).map(
      async ([file, text]) => /** @type {const} */ ([file, await embedBodyFiles(text)]),
    ),
  )
  return `${toHead('scenarios')}

/** Creates the contents of the files, by file name. */
export const builtinScenarios: Readonly<Record<string, () => unknown>> = {
${toMembers(files.map(([file, text]) => [file, `() => (${toFileExpression(text)})`]))}}
`
}

/** The module with the files of `init`, by runner and path. @returns {Promise<string>} */
async function toStarterModule() {
  const found = await readdir(fromRoot('starters'), { recursive: true, withFileTypes: true })
  const paths = found
    .filter((file) => file.isFile())
    .map((file) =>
      relative(fileURLToPath(fromRoot('starters')), join(file.parentPath, file.name)).replaceAll('\\', '/'),
    )
    .toSorted()
    .toReversed()
  /** @type {Record<string, Record<string, string>>} */
  const texts = {}
  for (const path of paths) {
    const [runner = '', ...rest] = path.split('/')
    texts[runner] = { ...texts[runner], [rest.join('/')]: await readFile(fromRoot(`starters/${path}`), 'utf8') }
  }
  return `// Generated from starters/ by scripts/embed.js: change the files there, then run \`node scripts/embed.js\`.

/** The texts of starters/, by runner and path. */
export const starterTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = ${JSON.stringify(texts)}
`
}

if (existsSync(fromRoot('fixtures')))
  await writeFile(fromRoot('src/service/state/builtin-fixtures.ts'), await toFixtureModule())
if (existsSync(fromRoot('scenarios')))
  await writeFile(fromRoot('src/service/scenarios/builtin-scenarios.ts'), await toScenarioModule())
if (existsSync(fromRoot('starters')))
  await writeFile(fromRoot('src/edges/cli/starter-texts.ts'), await toStarterModule())

/** @type {{ version: string }} */
const { version } = JSON.parse(await readFile(fromRoot('package.json'), 'utf8'))
await writeFile(
  fromRoot('src/version.ts'),
  `// Generated from package.json by scripts/embed.js.

/** The version of this package. */
export const VERSION = ${JSON.stringify(version)}
`,
)
// The client imports the version.
await writeFile(fromRoot('src/admin/dashboard/built-client.ts'), await toClientModule())
