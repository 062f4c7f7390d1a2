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
import { parse } from 'lossless-json'
import { toClientModule } from './build-client.js'

/**
 * @typedef {object} Embedding
 * @property {string} folder the folder to embed, from the project's root
 * @property {string} module the module to write, from the project's root
 * @property {string} name the name of the export with the contents
 * @property {string} [texts] the name of an export with the texts, for a command that writes the files
 */

/** @type {readonly Embedding[]} */
const embeddings = [
  {
    folder: 'fixtures',
    module: 'src/service/state/builtin-fixtures.ts',
    name: 'builtinFixtures',
    texts: 'builtinFixtureTexts',
  },
  {
    folder: 'scenarios',
    module: 'src/service/scenarios/builtin-scenarios.ts',
    name: 'builtinScenarios',
  },
]

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

/**
 * @param {Embedding} embedding
 * @returns {Promise<string>} the module's text
 */
async function toModule({ folder, name, texts }) {
  const names = (await readdir(fromRoot(folder))).filter((file) => file.endsWith('.json')).toSorted()
  const files = await Promise.all(
    names.map(async (file) => /** @type {const} */ ([file, await readFile(fromRoot(`${folder}/${file}`), 'utf8')])),
  )
  const contents = files.map(
    ([file, text]) => `  ${JSON.stringify(file)}: () => (${toExpression(parse(text, undefined, { parseNumber }))}),\n`,
  )
  const entries = files.map(([file, text]) => `  ${JSON.stringify(file)}: ${JSON.stringify(text)},\n`)
  return `// Generated from ${folder}/ by scripts/embed.js: change the files there, then run \`node scripts/embed.js\`.

/** Creates the contents of ${folder}/, by file name. */
export const ${name}: Readonly<Record<string, () => unknown>> = {
${contents.join('')}}
${
  texts === undefined
    ? ''
    : `
/** The texts of ${folder}/, by file name. */
export const ${texts}: Readonly<Record<string, string>> = {
${entries.join('')}}
`
}`
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

const present = embeddings.filter(({ folder }) => existsSync(fromRoot(folder)))
await Promise.all(present.map(async (embedding) => writeFile(fromRoot(embedding.module), await toModule(embedding))))

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
