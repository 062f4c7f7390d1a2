import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findConfig } from '../../../src/edges/cli/config-file.ts'
import { SetupError } from '../../../src/errors.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const folderWith = async (files: Readonly<Record<string, string | Buffer>>): Promise<string> => {
  const folder = await createTemporaryFolder()
  await mkdir(join(folder, 'deep'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

describe('the configuration file', () => {
  it('is optional', async () => {
    expect(await findConfig(await folderWith({}))).toBeUndefined()
  })

  it.each([
    ['JSON', 'resource-mock.config.json', '{ "port": 1 }', undefined],
    ['CommonJS', 'resource-mock.config.js', 'module.exports = { port: 1 }', undefined],
    ['a default ES module', 'resource-mock.config.mjs', 'export default { port: 1 }', undefined],
    ['a default CommonJS file', 'resource-mock.config.cjs', 'module.exports = { port: 1 }', undefined],
    ['a file from --config', 'other.json', '{ "port": 1 }', 'other.json'],
    ['a module from --config', 'other.mjs', 'export default { port: 1 }', 'other.mjs'],
    ['JSON with a byte order mark', 'resource-mock.config.json', '\uFEFF{ "port": 1 }\r\n', undefined],
    ['a CommonJS module from --config', 'other.cjs', 'module.exports = { port: 1 }', './other.cjs'],
  ])('may be %s', async (_kind, name, text, named) => {
    const folder = await folderWith({ [name]: text })
    expect(await findConfig(folder, named)).toEqual({ name: named ?? name, folder, members: { port: 1 } })
  })

  it('may be an ES module if package.json says so', async () => {
    const folder = await folderWith({
      'package.json': '{ "type": "module" }',
      'resource-mock.config.js': 'export default { port: 1 }',
    })
    expect(await findConfig(folder)).toMatchObject({ members: { port: 1 } })
  })

  it('is the base of its relative paths, instead of the working directory', async () => {
    const folder = await folderWith({ 'deep/mock.json': '{}' })
    expect(await findConfig(folder, 'deep/mock.json')).toMatchObject({ folder: join(folder, 'deep') })
  })

  it('is the one of --config, even if the folder has another', async () => {
    const folder = await folderWith({ 'other.json': '{ "port": 1 }', 'resource-mock.config.json': '{ "port": 2 }' })
    expect(await findConfig(folder, 'other.json')).toMatchObject({ members: { port: 1 } })
  })
})

describe('a configuration file', () => {
  it.each<readonly [string, Readonly<Record<string, string | Buffer>>, string | undefined, string]>([
    [
      'a second file in the same folder',
      { 'resource-mock.config.js': '', 'resource-mock.config.json': '{}' },
      undefined,
      'Both resource-mock.config.js and resource-mock.config.json exist in',
    ],
    ['a missing file', {}, 'nope.json', 'nope.json", which cannot be read.'],
    ['a folder', { 'deep/x': '' }, 'deep', '--config is "deep", which is neither JSON nor JavaScript.'],
    ['another file type', { 'mock.yaml': '' }, 'mock.yaml', 'Use a file that ends in .json or .js.'],
    [
      'a YAML file in the folder',
      { 'resource-mock.config.yaml': '' },
      undefined,
      'resource-mock.config.yaml is neither JSON nor JavaScript. Use a file that ends in .json or .js.',
    ],
    [
      'invalid JSON',
      { 'resource-mock.config.json': '{ port' },
      undefined,
      'resource-mock.config.json:1:3: unexpected "p".',
    ],
    [
      'JSON that is not UTF-8',
      { 'resource-mock.config.json': Buffer.from('{\n  "adminToken": "ü" }', 'latin1') },
      undefined,
      'resource-mock.config.json:2:18: the byte 0xFC is not UTF-8. Save it as UTF-8.',
    ],
    [
      'a module that is not UTF-8',
      { 'x.mjs': Buffer.from('export default { adminToken: "ü" }', 'latin1') },
      'x.mjs',
      'x.mjs:1:31: the byte 0xFC is not UTF-8.',
    ],
    [
      'JSON in UTF-16, as PowerShell writes it',
      { 'resource-mock.config.json': Buffer.from('\uFEFF{}', 'utf16le') },
      undefined,
      'resource-mock.config.json:1:1: the file is UTF-16. Save it as UTF-8.',
    ],
    [
      'JSON that is not an object',
      { 'resource-mock.config.json': '[1]' },
      undefined,
      'resource-mock.config.json contains no options.',
    ],
    [
      'a module that throws',
      { 'x.mjs': 'throw new Error("no such thing")' },
      'x.mjs',
      'x.mjs:1:7 failed to run: no such thing.',
    ],
    ['a module with a syntax error', { 'x.mjs': 'export default {' }, 'x.mjs', 'x.mjs failed to run: '],
    [
      'a module without a default export',
      { 'x.mjs': 'export const port = 1' },
      'x.mjs',
      'x.mjs contains no options. It must be one object, such as { "port": 4010 }, as its default export.',
    ],
  ])('is refused: %s', async (_kind, files, named, sentence) => {
    const found = findConfig(await folderWith(files), named)
    await expect(found).rejects.toThrow(SetupError)
    await expect(found).rejects.toThrow(sentence)
  })
})

describe('a configuration file in TypeScript', () => {
  const later = { version: '22.18.0', runsTypeScript: true }
  const earlier = { version: '20.19.0', runsTypeScript: false }

  it.each(['resource-mock.config.ts', 'resource-mock.config.mts'])('may be %s if Node runs it', async (name) => {
    const folder = await folderWith({ [name]: '{}' })
    // Node 20 does not know the extension.
    await expect(findConfig(folder, undefined, later)).rejects.toThrow(name)
    await expect(findConfig(folder, undefined, later)).rejects.not.toThrow('TypeScript needs')
  })

  it.each([
    [undefined, 'resource-mock.config.ts is'],
    ['resource-mock.config.ts', '--config is "resource-mock.config.ts", which is'],
  ])('is refused on earlier versions, with --config %s', async (named, start) => {
    const folder = await folderWith({ 'resource-mock.config.ts': '' })
    await expect(findConfig(folder, named, earlier)).rejects.toThrow(
      `${start} neither JSON nor JavaScript. TypeScript needs Node 22.18 or newer, but this is Node 20.19.0. Write it as JavaScript in a file that ends in .mjs`,
    )
  })
})
