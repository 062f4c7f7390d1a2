import { execFileSync } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/index.ts'
import { readFolder } from '../../../src/edges/node/folder.ts'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'

async function folderOf(file: string, content: string | Buffer): Promise<string> {
  const folder = await createTemporaryFolder()
  await writeFile(join(folder, file), content)
  return folder
}

/** Writes a scenario that answers with a body file, next to other files. */
async function folderWith(bodyFile: string, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const scenario = { description: 'For a test', rules: [{ effect: { answer: { status: 200, bodyFile } } }] }
  const folder = await folderOf('mine.json', JSON.stringify(scenario))
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content)
  return folder
}

describe('a body file', () => {
  it.each<readonly [string, string, Buffer]>([
    ['an image', 'a.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['text in Latin-1', 'a.csv', Buffer.from('Bücher', 'latin1')],
    ['text with a byte order mark', 'a.csv', Buffer.from('\uFEFFid;name\r\n')],
    ['JSON with a byte order mark', 'a.json', Buffer.from('\uFEFF{}')],
    ['JSON in Latin-1', 'a.json', Buffer.from('"Bücher"', 'latin1')],
  ])('is sent byte for byte: %s', async (_what, file, bytes) => {
    const scenarios = await readFolder('scenarios', await folderWith(file, { [file]: bytes }))
    const mock = await createMock({ scenarios, scenario: 'mine', auth: 'off' })
    const response = await mock.fetch('/acme/resource')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
  })

  it('is read only if a scenario names it', async () => {
    const folder = await folderWith('a.txt', { 'a.txt': 'a', 'b.txt': 'b' })
    expect(Object.keys(await readFolder('scenarios', folder)).toSorted()).toEqual(['a.txt', 'mine.json'])
  })

  it('must be a regular file, or a link to one', async () => {
    const folder = await folderWith('pipe.json', { 'a.txt': 'a' })
    execFileSync('mkfifo', [join(folder, 'pipe.json')])
    await symlink(join(folder, 'a.txt'), join(folder, 'link.yaml'))
    await symlink(join(folder, 'pipe.json'), join(folder, 'piped.yaml'))
    const contents = await readFolder('scenarios', folder)
    expect(Object.keys(contents).toSorted()).toEqual(['link.yaml', 'mine.json'])
  })
})

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
