import { pathToFileURL } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }

/** The names of the package's entries, which are those of files in src. */
export const entries = Object.keys(packageJson.exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => (path === '.' ? 'index' : path.slice(2)))

/** The packages that users of an entry install themselves. */
export const peers = Object.keys(packageJson.peerDependencies)

/**
 * How the code in the package is written. Names stay, so that stack traces are readable. Lines are short, because Node
 * prints the line of an error that nobody catches.
 *
 * @type {import('esbuild').TransformOptions}
 */
export const minify = { minifySyntax: true, minifyWhitespace: true, lineLimit: 160, legalComments: 'none' }

/** The file with Faker's English words. */
export const WORDS = /faker[\\/]dist[\\/]en-\w+\.js$/

/** The lists that the mock uses; all of them together are sixty times as long. */
const USED = new Set(['metadata', 'commerce', 'color'])

/**
 * Reads the file with Faker's words, and returns it without the lists that the mock does not use.
 *
 * @param {string} path
 */
export async function readWords(path) {
  const [[name, words]] = Object.entries(await import(pathToFileURL(path).href))
  const used = Object.fromEntries(Object.entries(words).filter(([list]) => USED.has(list)))
  return `const words = ${JSON.stringify(used)}\nexport { words as ${name} }`
}
