import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFilePersistence } from '../../../src/edges/node/file-persistence.ts'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'

const newFile = async (): Promise<string> => join(await createTemporaryFolder(), 'state.json')

/** A process with its own lock on the file, until the test or {@link ChildProcess.kill} ends it. */
async function holdElsewhere(file: string): Promise<ChildProcess> {
  const program = `
    import { startServer } from 'resource-mock/node'
    await startServer({ port: 0, persist: ${JSON.stringify(file)} })
    console.log('held')
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

// A held lock is retried for five seconds.
describe('the lock of a state file', () => {
  it('is refused while another process lives, and taken over once that was killed', async () => {
    const file = await newFile()
    const child = await holdElsewhere(file)
    await expect(openFilePersistence(file)).rejects.toThrow('is in use by another mock. Stop that mock')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const persistence = await openFilePersistence(file)
    await persistence.read()
    await persistence.write('mine')
    expect(await readFile(file, 'utf8')).toBe('mine')
  })
})
