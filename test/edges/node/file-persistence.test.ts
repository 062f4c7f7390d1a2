import { spawnSync } from 'node:child_process'
import { constants } from 'node:buffer'
import {
  chmod,
  mkdir,
  open as openFile,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SetupError } from '../../../src/errors.ts'
import { openFilePersistence } from '../../../src/edges/node/file-persistence.ts'
import { openPersistedStore } from '../../../src/service/state/persisted-store.ts'
import type { Lines } from '../../../src/service/state/kept-state.ts'
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
    await expect(persistence.read()).rejects.toThrow(': it is not UTF-8 text. The file is unchanged.')
    expect(await readFile(file)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]))
  })
})

it('reports that a state file is too long to be read, and leaves it unchanged', async () => {
  const file = await newFile()
  const size = constants.MAX_STRING_LENGTH + 1
  await writeFile(file, '')
  await truncate(file, size)
  const persistence = await openFilePersistence(file)
  await expect(persistence.read()).rejects.toThrow(
    `Cannot read the state file ${file}: it is longer than ${size - 1} bytes (512 MB). The file is unchanged.`,
  )
  expect((await stat(file)).size).toBe(size)
})

it('refuses a file that is mounted by itself, because it cannot be replaced', async ({ skip }) => {
  const file = await newFile()
  await writeFile(file, 'old')
  // Needs root.
  if (spawnSync('mount', ['--bind', file, file]).status !== 0) skip()
  onTestFinished(() => void spawnSync('umount', [file]))
  await expect(openFilePersistence(file)).rejects.toThrow(
    `Cannot use the state file ${file}: it is mounted by itself, so it cannot be replaced. Mount its folder instead, and point --persist at a file in that folder.`,
  )
  expect(await readdir(join(file, '..'))).toEqual(['state.json'])
})

describe('writes', () => {
  it('whole, and leaves nothing but the file, its lock and the name of its holder', async () => {
    const file = await newFile()
    const persistence = await open(file)
    const text = 'x'.repeat(1_000_000)
    await persistence.write(text)
    expect(await readFile(file, 'utf8')).toBe(text)
    expect((await readdir(join(file, '..'))).toSorted()).toEqual(['state.json', 'state.json.holder', 'state.json.lock'])
  })

  it('over what a process left behind that ended in the middle of a write', async () => {
    const file = await newFile()
    await writeFile(`${file}.tmp`, 'half a te')
    const persistence = await open(file)
    await persistence.write('whole')
    expect(await persistence.read()).toBe('whole')
  })

  it('through a link to the file that it leads to', async () => {
    const folder = await createTemporaryFolder()
    await writeFile(join(folder, 'real.json'), 'old')
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
    await expect(persistence.write('lost')).rejects.toThrow('ENOENT')
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

  it.each([
    ['replaced', async (file: string) => writeFile(file, 'theirs')],
    [
      'replaced by a file of the same size',
      async (file: string) => {
        await rm(file)
        await writeFile(file, 'MINE')
        // It may get the inode of the first one, and some systems count only every few milliseconds.
        await utimes(file, 1, 1)
      },
    ],
  ])('nothing over a file that something else has %s meanwhile', async (_how, replace) => {
    const file = await newFile()
    const persistence = await open(file)
    await persistence.write('mine')
    await replace(file)
    const theirs = await readFile(file, 'utf8')
    await expect(persistence.write('more of mine')).rejects.toThrow(
      'another program has changed it. Restart the mock to load those changes, or delete the file',
    )
    expect(await readFile(file, 'utf8')).toBe(theirs)
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
  it('refuses a second mock, and names process, host and boot of the first', async () => {
    const file = await newFile()
    await openFilePersistence(file)
    const second = openFilePersistence(file)
    await expect(second).rejects.toThrow(SetupError)
    await expect(second).rejects.toThrow(`is in use by process ${process.pid} on host ${hostname()} (boot `)
    await expect(second).rejects.toThrow('Stop that mock, or use another file for this one.')
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
    ['a folder', '', ' is a folder. Point --persist at a file, such as '],
    [
      'a file in a missing folder',
      'none/state.json',
      'its folder does not exist. Point --persist at a file in an existing folder',
    ],
    ['a path below a file', 'file/state.json', 'a part of its path is not a folder.'],
  ])('%s', async (_what, place, sentence) => {
    const folder = await createTemporaryFolder()
    await writeFile(join(folder, 'file'), '')
    const opened = openFilePersistence(join(folder, place))
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

storeCases('a file', async (parts) =>
  openPersistedStore({ ...parts, newId: () => 'log-1', persistence: await open(await newFile()) }),
)

describe('lines', () => {
  /** A file with a log of lines next to it. */
  async function openWithLines() {
    const file = await newFile()
    const persistence = await open(file)
    await persistence.write('{}')
    await persistence.lines?.replace(['head\n'])
    return { file, lines: persistence.lines ?? expect.fail('there are no lines'), persistence }
  }

  async function list(lines: Lines): Promise<readonly string[] | undefined> {
    const found: string[] = []
    return (await lines.read((line) => found.push(line))) ? found : undefined
  }

  it('go to the end of the log next to the file', async () => {
    const { file, lines } = await openWithLines()
    expect(await lines.append('one\ntwo\n')).toBe(true)
    expect(await readFile(`${file}.log`, 'utf8')).toBe('head\none\ntwo\n')
    expect(await readFile(file, 'utf8')).toBe('{}')
  })

  it('follow what was read, without what was cut off', async () => {
    const { file, lines, persistence } = await openWithLines()
    await lines.append('größer\nhalf')
    await persistence.close()
    const again = (await open(file)).lines ?? expect.fail('there are no lines')
    expect(await list(again)).toEqual(['head', 'größer'])
    await again.resume()
    await again.append('next\n')
    expect(await readFile(`${file}.log`, 'utf8')).toBe('head\ngrößer\nnext\n')
  })

  it('are read whole, with multi-byte characters across the edge of every chunk', async () => {
    const { lines } = await openWithLines()
    const written = Array.from({ length: 40 }, (_none, at) => 'x'.repeat(at) + '日本🙂'.repeat(10_000))
    await lines.append(written.map((line) => `${line}\n`).join(''))
    expect(await list(lines)).toEqual(['head', ...written])
  })

  it('are read from a log that is longer than any string', async () => {
    const { file, lines } = await openWithLines()
    const count = 2100
    const size = Math.ceil(constants.MAX_STRING_LENGTH / 2000)
    // A sparse file, which takes almost no space on disk.
    const log = await openFile(`${file}.log`, 'w')
    for (let at = 1; at <= count; at += 1) await log.write('\n', at * size)
    await log.close()
    const lengths = new Set<number>()
    let found = 0
    await lines.read((line) => {
      found += 1
      lengths.add(line.length)
    })
    expect({ found, lengths: [...lengths] }).toEqual({ found: count, lengths: [size, size - 1] })
  })

  it('are none where there is no log, and no lines of an empty one', async () => {
    const { file, lines } = await openWithLines()
    await writeFile(`${file}.log`, '')
    expect(await list(lines)).toEqual([])
    await rm(`${file}.log`)
    expect(await list(lines)).toBeUndefined()
  })

  it('are not replaced once another process has changed the file', async () => {
    const { file, lines } = await openWithLines()
    await writeFile(file, 'theirs')
    await expect(lines.replace(['mine\n'])).rejects.toThrow('another program has changed it.')
    expect(await readFile(`${file}.log`, 'utf8')).toBe('head\n')
  })

  it('are refused if another process has changed the file, or deleted it', async () => {
    const { file, lines } = await openWithLines()
    await writeFile(file, 'theirs')
    await expect(lines.append('one\n')).rejects.toThrow('another program has changed it.')
    await rm(file)
    expect(await lines.append('one\n')).toBe(false)
    expect(await readFile(`${file}.log`, 'utf8')).toBe('head\n')
  })

  it('do not go through a link that was put in the place of the log', async () => {
    const { file, lines } = await openWithLines()
    const target = join(file, '..', 'precious.txt')
    await writeFile(target, 'precious')
    await rm(`${file}.log`)
    await symlink(target, `${file}.log`)
    await lines.replace(['mine\n'])
    expect(await readFile(target, 'utf8')).toBe('precious')
    expect(await readFile(`${file}.log`, 'utf8')).toBe('mine\n')
  })

  it('leave nothing when they are removed', async () => {
    const { file, lines, persistence } = await openWithLines()
    await lines.remove()
    await persistence.close()
    expect(await readdir(join(file, '..'))).toEqual(['state.json'])
  })
})
