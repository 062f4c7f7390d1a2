import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @param {string} path from the project's root */
const fromRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/**
 * Bundles the dashboard's files for the browser: a script, the initial style sheet of the pages, and that of the views.
 *
 * @returns {Promise<string>} the text of the module with both, for runtimes without a file system
 */
export async function toClientModule() {
  const { outputFiles } = await build({
    entryPoints: {
      script: fromRoot('src/dashboard/client/main.ts'),
      shell: fromRoot('src/dashboard/style/shell.css'),
      views: fromRoot('src/dashboard/style/views.css'),
    },
    outdir: 'built',
    bundle: true,
    format: 'esm',
    target: ['es2022', 'chrome120', 'firefox120', 'safari17'],
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    write: false,
    logLevel: 'warning',
  })
  const textOf = (/** @type {string} */ ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
  const shell = textOf('shell.css').trim()
  return `// Generated from src/dashboard/client/ and src/dashboard/style/ by scripts/embed.js: change the files there.

/** The dashboard's script. */
export const clientScript: string = ${JSON.stringify(textOf('.js'))}

/** The style that every page begins with. */
export const shellStyle: string = ${JSON.stringify(shell)}

/** By which a page may hold it (CSP Level 3, section 2.3.1). */
export const shellStyleHash: string = ${JSON.stringify(`sha256-${createHash('sha256').update(shell).digest('base64')}`)}

/** The style sheet of the views. */
export const viewStyle: string = ${JSON.stringify(textOf('views.css'))}
`
}
