import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFolder } from '../../../src/edges/node/folder.ts'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'

async function folderOf(file: string, content: string | Buffer): Promise<string> {
  const folder = await createTemporaryFolder()
  await writeFile(join(folder, file), content)
  return folder
}

describe('a file of a folder', () => {
  it.each([
    ['fixtures', 'resources.json'],
    ['scenarios', 'mine.yaml'],
  ] as const)('of %s may have a byte order mark', async (name, file) => {
    expect(await readFolder(name, await folderOf(file, '\uFEFF[]'))).toEqual({ [file]: '[]' })
  })

  it.each([
    ['fixtures', 'resources.json', 'fixtures resources.json'],
    ['scenarios', 'mine.json', 'Scenario mine.json'],
    ['scenarios', 'mine.yml', 'Scenario mine.yml'],
  ] as const)('of %s is refused if it is not UTF-8, with the position: %s', async (name, file, subject) => {
    // The character before it is the one that decoders put in place of other bytes.
    const content = Buffer.concat([Buffer.from('["é",\n"\uFFFD'), Buffer.from('ü"]', 'latin1')])
    await expect(readFolder(name, await folderOf(file, content))).rejects.toThrow(
      `${subject}:2:3: the byte 0xFC is not UTF-8. Save it as UTF-8.`,
    )
  })

  it.each(['utf16le', 'utf16be'])('is refused in %s', async (encoding) => {
    const bytes = Buffer.from('\uFEFF[]', 'utf16le')
    const folder = await folderOf('resources.json', encoding === 'utf16le' ? bytes : bytes.swap16())
    await expect(readFolder('fixtures', folder)).rejects.toThrow('fixtures resources.json:1:1: the file is UTF-16.')
  })
})
