import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Installs packages, and tries once more if that fails: the registry may be out of reach for a moment.
 *
 * @param {string} folder the folder with their package.json
 * @param {readonly string[]} args the packages, and options of npm
 */
export async function install(folder, ...args) {
  const run = () => promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...args], { cwd: folder })
  await run().catch(run)
}

/**
 * Packs the built package.
 *
 * @param {string} folder the folder for the tarball
 * @returns {Promise<string>} the tarball's path
 */
export async function pack(folder) {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
    {
      cwd: root,
      maxBuffer: 16 * 1024 * 1024,
    },
  )
  const [{ filename, files }] = JSON.parse(stdout)
  const stray = files.filter(({ path }) => /^(?:src|test|bench|node_modules)\//.test(path))
  if (stray.length > 0)
    throw new Error(`The package holds ${stray[0].path}. List what belongs in it under "files" in package.json.`)
  return join(folder, filename)
}
