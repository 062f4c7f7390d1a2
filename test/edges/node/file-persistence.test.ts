import { constants } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, readlink, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SetupError } from '../../../src/errors.ts'
import { openFilePersistence } from '../../../src/edges/node/file-persistence.ts'
import { openPersistedStore } from '../../../src/service/state/persisted-store.ts'
import { storeCases } from '../../service/state/store-cases.ts'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'
import { PATIENCE } from '../../support/patience.ts'

const newFile = async (): Promise<string> => join(await createTemporaryFolder(), 'state.json')

/** Opens a file like a mock: existing data are read before anything is written. */
async function open(file: string) {
  const persistence = await openFilePersistence(file)
  await persistence.read()
  return persistence
}

describe('reads', () => {
  it('nothing where there is no file yet', async () => {
    const persistence = await openFilePersistence(await newFile())
    expect(await persistence.read()).toBeUndefined()
  })

  it('what was written last, after it was closed and opened again', async () => {
    const file = await newFile()
    const first = await openFilePersistence(file)
    await first.write('one')
    await first.write('größer 日本')
    await first.close()
    const second = await openFilePersistence(file)
    expect(await second.read()).toBe('größer 日本')
  })

  it('an empty file as an empty text', async () => {
    const file = await newFile()
    await writeFile(file, '')
    expect(await (await openFilePersistence(file)).read()).toBe('')
  })

  it('no file with invalid UTF-8, and leaves it unchanged', async () => {
    const file = await newFile()
    await writeFile(file, Buffer.from([0x7b, 0xff, 0x7d]))
    const persistence = await openFilePersistence(file)
    await expect(persistence.read()).rejects.toThrow(SetupError)
    await expect(persistence.read()).rejects.toThrow(': it is not UTF-8 text of at most 512 MB. The file is unchanged.')
    expect(await readFile(file)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]))
  })
})

it('refuses a file that is mounted by itself when it is first written, because it cannot be replaced', async ({
  skip,
}) => {
  const file = await newFile()
  await writeFile(file, 'old')
  // Needs root.
  if (spawnSync('mount', ['--bind', file, file]).status !== 0) skip()
  onTestFinished(() => void spawnSync('umount', [file]))
  const persistence = await open(file)
  await expect(persistence.write('new')).rejects.toThrow(
    'it is mounted by itself, so it cannot be replaced. Mount its folder instead. Point --persist at a file in an existing folder',
  )
  await persistence.close()
  expect(await readdir(join(file, '..'))).toEqual(['state.json'])
})

describe('writes', () => {
  it('whole, and leaves nothing but the file and its lock', async () => {
    const file = await newFile()
    const persistence = await open(file)
    const text = 'x'.repeat(1_000_000)
    await persistence.write(text)
    expect(await readFile(file, 'utf8')).toBe(text)
    expect((await readdir(join(file, '..'))).toSorted()).toEqual(['state.json', 'state.json.lock'])
  })

  it('over what a process left behind that ended in the middle of a write', async () => {
    const file = await newFile()
    await writeFile(`${file}.tmp`, 'half a te')
    const persistence = await open(file)
    await persistence.write('whole')
    expect(await persistence.read()).toBe('whole')
  })

  it('through a link to the file that it leads to', async () => {
    const folder = await createTemporaryFolder({ 'real.json': 'old' })
    await symlink(join(folder, 'real.json'), join(folder, 'link.json'))
    const persistence = await open(join(folder, 'link.json'))
    await persistence.write('new')
    expect(await readFile(join(folder, 'real.json'), 'utf8')).toBe('new')
  })

  it.each(['real.json', '../state/real.json'])('through links to %s, which does not exist yet', async (target) => {
    const folder = join(await createTemporaryFolder(), 'state')
    await mkdir(folder)
    await symlink(target, join(folder, 'link.json'))
    await symlink(join(folder, 'link.json'), join(folder, 'first.json'))
    const persistence = await open(join(folder, 'first.json'))
    await persistence.write('new')
    expect(await readFile(join(folder, 'real.json'), 'utf8')).toBe('new')
    expect(await readlink(join(folder, 'first.json'))).toBe(join(folder, 'link.json'))
    expect(await readlink(join(folder, 'link.json'))).toBe(target)
  })

  it('with the permissions that the file had', async () => {
    const file = await newFile()
    await writeFile(file, 'old')
    await chmod(file, 0o600)
    await (await open(file)).write('new')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('nothing, and says so, once its folder is gone', async () => {
    const folder = join(await createTemporaryFolder(), 'deep')
    await mkdir(folder)
    const persistence = await openFilePersistence(join(folder, 'state.json'))
    await rm(folder, { recursive: true })
    await expect(persistence.write('lost')).rejects.toThrow('its folder does not exist. Point --persist at')
  })

  it('not through a link that somebody put in the place of its temporary file', async () => {
    const file = await newFile()
    const target = join(file, '..', 'precious.txt')
    await writeFile(target, 'precious')
    await symlink(target, `${file}.tmp`)
    await (await open(file)).write('mine')
    expect(await readFile(target, 'utf8')).toBe('precious')
    expect(await readFile(file, 'utf8')).toBe('mine')
  })

  it('a new file where it was deleted meanwhile', async () => {
    const file = await newFile()
    const persistence = await open(file)
    await persistence.write('one')
    await rm(file)
    await persistence.write('two')
    await persistence.write('three')
    expect(await readFile(file, 'utf8')).toBe('three')
  })

  it('nothing once it lost its lock', async () => {
    const file = await newFile()
    const persistence = await open(file)
    await utimes(`${file}.lock`, 1, 1)
    await vi.waitUntil(
      async () =>
        persistence.write('x').then(
          () => false,
          () => true,
        ),
      PATIENCE,
    )
    await expect(persistence.write('y')).rejects.toThrow('the mock lost its lock')
  })
})

describe('the lock of a state file', () => {
  it('refuses a second mock', async () => {
    const file = await newFile()
    await openFilePersistence(file)
    const second = openFilePersistence(file)
    await expect(second).rejects.toThrow(SetupError)
    await expect(second).rejects.toThrow('is in use by another mock. Stop that mock, or use another file for this one.')
  })

  it('is free again once it is released, and leaves no file behind', async () => {
    const file = await newFile()
    await (await openFilePersistence(file)).close()
    expect(await readdir(join(file, '..'))).toEqual([])
    await openFilePersistence(file)
  })
})

describe('refuses, with the reason and the remedy,', () => {
  it.each([
    ['a folder', '', 'it is a folder. Point --persist at a file in an existing folder'],
    [
      'a file in a missing folder',
      'none/state.json',
      'its folder does not exist. Point --persist at a file in an existing folder',
    ],
    ['a path below a file', 'file/state.json', 'a part of its path is not a folder.'],
  ])('%s', async (_what, place, sentence) => {
    const folder = await createTemporaryFolder({ file: '' })
    const opened = open(join(folder, place))
    await expect(opened).rejects.toThrow(SetupError)
    await expect(opened).rejects.toThrow(sentence)
  })

  it('a missing folder at once, without trying again', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timers.mockRestore())
    await expect(openFilePersistence(join(await createTemporaryFolder(), 'none', 'state.json'))).rejects.toThrow()
    expect(timers).not.toHaveBeenCalled()
  })
})

storeCases('a file', async (parts) => openPersistedStore({ ...parts, persistence: await open(await newFile()) }))

describe('images', () => {
  const openImages = async (file: string) => {
    const { images = expect.fail('there are no images'), close } = await open(file)
    return { images, close }
  }

  it('are read again by their names, until they are removed', async () => {
    const file = await newFile()
    const first = await openImages(file)
    expect(await first.images.read()).toEqual(new Map())
    await first.images.write('one', Uint8Array.of(1, 2))
    await first.images.write('two', Uint8Array.of(3))
    await first.images.remove('two')
    await first.close()
    const second = await openImages(file)
    expect(await second.images.read()).toEqual(new Map([['one', Uint8Array.of(1, 2)]]))
  })
})

it('keeps a journal that is longer than any string', async () => {
  const file = await newFile()
  const { journal = expect.fail('there is no journal') } = await open(file)
  const line = `${'x'.repeat(2 ** 24)}\n`
  const count = Math.ceil(constants.MAX_STRING_LENGTH / line.length)
  await journal.replace(Array.from({ length: count }, () => line))
  const lengths: number[] = []
  await journal.read((one) => lengths.push(one.length))
  expect(lengths).toEqual(Array.from({ length: count }, () => line.length - 1))
})
