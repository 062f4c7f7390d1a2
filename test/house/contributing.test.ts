import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOMS } from './layers.ts'
import { readSources, readText } from './sources.ts'

const root = join(import.meta.dirname, '..', '..')
const page = readText('CONTRIBUTING.md')

const scripts = Object.keys((JSON.parse(readText('package.json')) as { readonly scripts: object }).scripts)
const builtIn = ['ci', 'start', 'test']

/** The part of the page's tree that lists `src/`, and the names that start its lines. */
const treeOfSrc = /^src\/\n([^]*?)^\S/m.exec(page)?.[1] ?? ''

/** The paths below `src/` that the tree names: a line's names, below the folders that it is indented under. */
const namesInTree = treeOfSrc.split('\n').flatMap((line, index, lines) => {
  const depth = line.search(/\S/)
  const words = line.trim().split(/\s+/)
  const end = words.findIndex((word) => !/\/$|\.ts$/.test(word))
  const room = lines.slice(0, index).findLast((above) => above.search(/\S/) === 2)
  return words
    .slice(0, end === -1 ? undefined : end)
    .map((word) => (depth === 4 ? `${room?.trim().split('/')[0]}/${word}` : word))
})
const foldersOf = (path: string): readonly string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

describe('CONTRIBUTING.md', () => {
  it('names only scripts in package.json', () => {
    const named = Array.from(page.matchAll(/npm run ([\w:-]+)/g), ([, name = '']) => name)
    expect(named.filter((name) => !scripts.includes(name))).toEqual([])
    expect(named.length).toBeGreaterThan(10)
  })

  it('names only folders and files in src', () => {
    expect(namesInTree.filter((name) => !existsSync(join(root, 'src', name)))).toEqual([])
  })

  it('names every folder of src', () => {
    const missing = foldersOf('src')
      .flatMap((room) => [room, ...foldersOf(`src/${room}`).map((folder) => `${room}/${folder}`)])
      .filter((folder) => !namesInTree.includes(`${folder}/`))
    expect(missing).toEqual([])
  })

  it('names only existing paths', () => {
    const paths = Array.from(
      page.matchAll(/`((?:src|test|docs|bench|examples|fixtures|scripts)\/[\w./-]*)`/g),
      ([, path = '']) => path,
    )
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(paths.length).toBeGreaterThan(5)
  })

  it('shows the rooms in the order that the tests check', () => {
    const [, shown = ''] = /^> (errors ←.*)$/m.exec(page) ?? []
    expect(shown.split(' ← ')).toEqual(ROOMS.map((room) => room.replace('.ts', '')))
  })

  it('states the maximum length of the files of src', () => {
    const [, most = ''] = /refuses more than (\d+)/.exec(page) ?? []
    expect(Math.max(...readSources('src').map(({ lines }) => lines.length - 1))).toBeLessThanOrEqual(Number(most))
  })

  it.each(builtIn)('names npm %s', (command) => {
    expect(page).toContain(`npm ${command}`)
  })
})
