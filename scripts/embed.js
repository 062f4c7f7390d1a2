/**
 * Writes the built-in fixtures and scenarios, the dashboard's files for the browser, and the version into modules, so that
 * the mock runs without a file system. They are embedded as text: a JSON module would round integers above 2^53 (D3).
 *
 * Run it with: node scripts/embed.js
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { toClientModule } from './build-client.js'

/**
 * @typedef {object} Embedding
 * @property {string} folder the folder to embed, from the project's root
 * @property {RegExp} files the names to embed
 * @property {string} module the module to write, from the project's root
 * @property {string} name the name of the module's export
 */

/** @type {readonly Embedding[]} */
const embeddings = [
  { folder: 'fixtures', files: /\.json$/, module: 'src/service/state/builtin-fixtures.ts', name: 'builtinFixtures' },
  {
    folder: 'scenarios',
    files: /\.(?:json|ya?ml)$/,
    module: 'src/service/scenarios/builtin-scenarios.ts',
    name: 'builtinScenarios',
  },
]

/** @param {string} path from the project's root */
const fromRoot = (path) => new URL(`../${path}`, import.meta.url)

/**
 * @param {Embedding} embedding
 * @returns {Promise<string>} the module's text
 */
async function toModule({ folder, files, name }) {
  const names = (await readdir(fromRoot(folder))).filter((file) => files.test(file)).toSorted()
  const entries = await Promise.all(
    names.map(async (file) => {
      const text = await readFile(fromRoot(`${folder}/${file}`), 'utf8')
      return `  ${JSON.stringify(file)}: ${JSON.stringify(text)},\n`
    }),
  )
  return `// Generated from ${folder}/ by scripts/embed.js: change the files there, then run \`node scripts/embed.js\`.

/** The texts of ${folder}/, by file name. */
export const ${name}: Readonly<Record<string, string>> = {
${entries.join('')}}
`
}

const present = embeddings.filter(({ folder }) => existsSync(fromRoot(folder)))
await Promise.all(present.map(async (embedding) => writeFile(fromRoot(embedding.module), await toModule(embedding))))

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
