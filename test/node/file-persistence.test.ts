import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SetupError } from '../../src/errors.ts'
import { openFilePersistence } from '../../src/node/file-persistence.ts'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'
import { PATIENCE } from '../support/patience.ts'

const newFile = async (): Promise<string> => join(await createTemporaryFolder(), 'state.json')

/** The pid of a process that has ended. */
async function findDeadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

/** The pid of a process that has ended, of which its parent does not want to know. */
async function findZombiePid(): Promise<number> {
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(line)
  await vi.waitUntil(async () => / Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8')), PATIENCE)
  return pid
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

  it('no file that is not UTF-8, and leaves it as it is', async () => {
    const file = await newFile()
    await writeFile(file, Buffer.from([0x7b, 0xff, 0x7d]))
    const persistence = await openFilePersistence(file)
    await expect(persistence.read()).rejects.toThrow(SetupError)
    await expect(persistence.read()).rejects.toThrow('cannot be read: it is no UTF-8 text. It was left as it is')
    expect(await readFile(file)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]))
  })
})

describe('writes', () => {
  it('whole, and leaves nothing but the file and its lock', async () => {
    const file = await newFile()
    const persistence = await openFilePersistence(file)
    const text = 'x'.repeat(1_000_000)
    await persistence.write(text)
    expect(await readFile(file, 'utf8')).toBe(text)
    expect((await readdir(join(file, '..'))).toSorted()).toEqual(['state.json', 'state.json.lock'])
  })

  it('over what a process left behind that ended in the middle of a write', async () => {
    const file = await newFile()
    await writeFile(`${file}.tmp`, 'half a te')
    const persistence = await openFilePersistence(file)
    await persistence.write('whole')
    expect(await persistence.read()).toBe('whole')
  })

  it('through a link to the file that it leads to', async () => {
    const folder = await createTemporaryFolder()
    await writeFile(join(folder, 'real.json'), 'old')
    await symlink(join(folder, 'real.json'), join(folder, 'link.json'))
    const persistence = await openFilePersistence(join(folder, 'link.json'))
    await persistence.write('new')
    expect(await readFile(join(folder, 'real.json'), 'utf8')).toBe('new')
  })

  it('with the permissions that the file had', async () => {
    const file = await newFile()
    await writeFile(file, 'old')
    await chmod(file, 0o600)
    await (await openFilePersistence(file)).write('new')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('nothing, and says so, once its folder is gone', async () => {
    const folder = join(await createTemporaryFolder(), 'deep')
    await mkdir(folder)
    const persistence = await openFilePersistence(join(folder, 'state.json'))
    await rm(folder, { recursive: true })
    await expect(persistence.write('lost')).rejects.toThrow('ENOENT')
  })
})

describe('is one mock’s alone', () => {
  it('is refused to a second mock of the same process, which is told the pid', async () => {
    const file = await newFile()
    await openFilePersistence(file)
    const second = openFilePersistence(file)
    await expect(second).rejects.toThrow(SetupError)
    await expect(second).rejects.toThrow(`is in use by process ${process.pid}.`)
  })

  it('is refused while another process that holds it lives', async () => {
    const file = await newFile()
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    onTestFinished(() => void child.kill())
    await writeFile(`${file}.lock`, `${child.pid} 1\n`)
    await expect(openFilePersistence(file)).rejects.toThrow(`is in use by process ${child.pid}. Stop that process`)
    expect(await readFile(`${file}.lock`, 'utf8')).toBe(`${child.pid} 1\n`)
  })

  it.each([
    ['whose process is gone', async () => `${await findDeadPid()} 1\n`],
    ['of an earlier process with the same pid, as in containers', async () => `${process.pid} 1\n`],
    ['that is empty', async () => ''],
    ['that is no lock of ours', async () => 'hello'],
  ])('takes over a lock %s', async (_which, toMark) => {
    const file = await newFile()
    await writeFile(`${file}.lock`, await toMark())
    await (await openFilePersistence(file)).write('mine')
    expect(await readFile(`${file}.lock`, 'utf8')).toMatch(new RegExp(`^${process.pid} `))
    expect(await readdir(join(file, '..'))).toHaveLength(2)
  })

  it.runIf(existsSync('/proc/self/stat'))(
    'takes over a lock whose process waits for its parent to notice',
    async () => {
      const file = await newFile()
      await writeFile(`${file}.lock`, `${await findZombiePid()} 1\n`)
      await (await openFilePersistence(file)).write('mine')
      expect(await readFile(`${file}.lock`, 'utf8')).toMatch(new RegExp(`^${process.pid} `))
    },
  )

  it('lets one of many have a lock whose process is gone', async () => {
    const file = await newFile()
    await writeFile(`${file}.lock`, `${await findDeadPid()} 1\n`)
    const opened = await Promise.allSettled(Array.from({ length: 10 }, () => openFilePersistence(file)))
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is free again once it is closed', async () => {
    const file = await newFile()
    await (await openFilePersistence(file)).close()
    expect(await readdir(join(file, '..'))).toEqual([])
    await openFilePersistence(file)
  })

  it('does not release what another process has taken meanwhile', async () => {
    const file = await newFile()
    const persistence = await openFilePersistence(file)
    await writeFile(`${file}.lock`, '1 1\n')
    await persistence.close()
    expect(await readFile(`${file}.lock`, 'utf8')).toBe('1 1\n')
  })
})

describe('refuses, with the reason and the remedy,', () => {
  it.each([
    ['a folder', '', ' is a folder. Give --persist a file, such as '],
    [
      'a file in no folder',
      'none/state.json',
      'its folder does not exist. Give --persist a file in a folder that exists',
    ],
    ['a file below a file', 'file/state.json', 'its path leads through something that is no folder.'],
  ])('%s', async (_what, place, sentence) => {
    const folder = await createTemporaryFolder()
    await writeFile(join(folder, 'file'), '')
    const opened = openFilePersistence(join(folder, place))
    await expect(opened).rejects.toThrow(SetupError)
    await expect(opened).rejects.toThrow(sentence)
  })
})
