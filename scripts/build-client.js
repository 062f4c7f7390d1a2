import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @param {string} path from the project's root */
const fromRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/**
 * Bundles the dashboard's script and style sheet for the browser.
 *
 * @returns {Promise<string>} the text of the module with both, for runtimes without a file system
 */
export async function toClientModule() {
  const { outputFiles } = await build({
    entryPoints: {
      dashboard: fromRoot('src/admin/dashboard/app/main.tsx'),
      style: fromRoot('src/admin/dashboard/style/main.css'),
    },
    outdir: 'built',
    bundle: true,
    format: 'esm',
    target: ['es2022', 'chrome120', 'firefox120', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx/dom',
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    write: false,
    logLevel: 'warning',
  })
  const textOf = (/** @type {string} */ ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
  const [script, style] = [textOf('.js'), textOf('.css')]
  const version = createHash('sha256').update(script).update(style).digest('hex').slice(0, 12)
  return `// Generated from src/admin/dashboard/app/ and src/admin/dashboard/style/ by scripts/embed.js: change the files there.

/** The dashboard's script. */
export const clientScript: string = ${JSON.stringify(script)}

/** The dashboard's style sheet. */
export const clientStyle: string = ${JSON.stringify(style)}

/** Changes with the script and the style sheet. */
export const clientVersion: string = ${JSON.stringify(version)}
`
}
