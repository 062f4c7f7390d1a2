import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('../../..', import.meta.url))
const entries = Object.values(packageJson.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry.import.default, entry.require.default],
)

/** Simulates Node 18 without its missing features, loads every entry, and prints what each throws. */
const LOAD = `
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })
  require('node:http') // Node's own module sorts, too.
  delete Array.prototype.toSorted
  delete require('node:util').styleText
  require('node:module').syncBuiltinESMExports()
  const load = async (path) => (path.includes('/cjs/') ? require(path) : import(path))
  const tell = (path) => load(path).then(() => 'loaded', ({ message }) => message)
  Promise.all(process.argv.slice(1).map(tell)).then((all) => console.log(JSON.stringify(all)))
`

it('every entry of the library reports on Node 18 which version it needs', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', LOAD, ...entries], { cwd: root })
  expect(entries.length).toBeGreaterThan(10)
  const sentence = 'resource-mock needs Node 20.19 or newer, but this is Node 18.20.8. Install a newer Node.'
  expect(JSON.parse(stdout)).toEqual(entries.map(() => sentence))
})
