import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { start } from './command.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const WRITERS = 8
export const HEADERS = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }

/** Writes until the mock is gone, and records the key of each acknowledged write. */
async function writeOn(url: string, writer: number, acknowledged: Set<string>): Promise<void> {
  for (let count = 0; ; count += 1) {
    const key = `writer-${writer}-${count}`
    const body = JSON.stringify({ key, objectTypeProperty: { arrayOfIntExample: [writer, count] } })
    try {
      const response = await fetch(`${url}/acme/resource`, { method: 'POST', headers: HEADERS, body })
      if (response.status === 201) acknowledged.add(key)
    } catch {
      return
    }
  }
}

/** Kills a mock that writes to a file after n acknowledged writes, and finds all of them in the next one. */
export async function expectNothingLost(writes: number): Promise<void> {
  const file = join(await createTemporaryFolder(), 'state.json')
  const first = start(['--port', '0', '--persist', file, '--log', 'silent'])
  const url = await first.ready
  const acknowledged = new Set<string>()
  const add = acknowledged.add.bind(acknowledged)
  acknowledged.add = (key) => {
    if (acknowledged.size + 1 === writes) first.process.kill('SIGKILL')
    return add(key)
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeOn(url, writer, acknowledged)))
  expect(await first.ended).toBe('SIGKILL')
  const text = await readFile(file, 'utf8')
  expect(() => JSON.parse(text) as unknown).not.toThrow()

  const second = start(['--port', '0', '--persist', file, '--log', 'silent'])
  const again = await second.ready
  for (const key of acknowledged) {
    const { status } = await fetch(`${again}/acme/resource/key=${key}`, { headers: HEADERS })
    expect([key, status]).toEqual([key, 200])
  }
}
