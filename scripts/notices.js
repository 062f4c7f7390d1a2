import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FILE = 'dist/THIRD-PARTY-NOTICES.txt'
const RULE = `\n${'-'.repeat(80)}\n`

/** The licence of a package, as its own file has it. @param {string} folder */
async function readNotice(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one))
  const text = file === undefined ? `Licence: ${license}` : await readFile(join(folder, file), 'utf8')
  return `${name} ${version} (${license})\n\n${text.trim()}\n`
}

/**
 * Adds the licences of the packages inside a bundle to the notices of this package.
 *
 * @param {readonly string[]} paths the files inside the bundle
 */
export async function addNotices(paths) {
  const folders = paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  const known = (await readFile(FILE, 'utf8').catch(() => '')).split(RULE).filter((text) => text !== '')
  const added = await Promise.all([...new Set(folders)].map(readNotice))
  await writeFile(FILE, [...new Set([...known, ...added])].toSorted((a, b) => a.localeCompare(b)).join(RULE))
}
