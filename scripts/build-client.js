import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @param {string} path from the project's root */
const fromRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/**
 * Bundles what the dashboard sends to a browser: one script, one style sheet.
 *
 * @returns {Promise<string>} the text of the module that has both, for where there is no file system
 */
export async function toClientModule() {
  const { outputFiles } = await build({
    entryPoints: { script: fromRoot('src/dashboard/client/main.ts'), style: fromRoot('src/dashboard/style/style.css') },
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
  return `// Generated from src/dashboard/client/ and src/dashboard/style/ by scripts/embed.js: change the files there.

/** The dashboard's script. */
export const clientScript: string = ${JSON.stringify(textOf('.js'))}

/** The dashboard's style sheet. */
export const clientStyle: string = ${JSON.stringify(textOf('.css'))}
`
}
