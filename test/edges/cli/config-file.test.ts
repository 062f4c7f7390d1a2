import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findConfig } from '../../../src/edges/cli/settings.ts'
import { SetupError } from '../../../src/errors.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const folderWith = async (files: Readonly<Record<string, string>>): Promise<string> => {
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
  it.each<readonly [string, Readonly<Record<string, string>>, string | undefined, string]>([
    [
      'a second file in the same folder',
      { 'resource-mock.config.js': '', 'resource-mock.config.json': '{}' },
      undefined,
      'Both resource-mock.config.js and resource-mock.config.json exist in',
    ],
    ['a missing file', {}, 'nope.json', '--config is "nope.json", which cannot be read.'],
    ['a folder', { 'deep/x': '' }, 'deep', '--config is "deep", which is neither JSON nor JavaScript.'],
    ['another file type', { 'mock.yaml': '' }, 'mock.yaml', 'Use a file that ends in .json or .js.'],
    [
      'TypeScript',
      { 'mock.ts': '' },
      'mock.ts',
      '--config is "mock.ts", which is neither JSON nor JavaScript. Write it as JavaScript in a file that ends in .mjs',
    ],
    [
      'a TypeScript file in the folder',
      { 'resource-mock.config.ts': '' },
      undefined,
      'resource-mock.config.ts is neither JSON nor JavaScript. Write it as JavaScript in a file that ends in .mjs',
    ],
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
      'resource-mock.config.json is not valid JSON: ',
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
      'x.mjs failed to run: no such thing.',
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
