import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { COMMAND } from './command.ts'

const text = readFileSync(COMMAND, 'utf8')

/** Thrown instead of ending the process. */
class Ended extends Error {}

/** Runs the command's first file under a simulated Node version, and returns what it did. */
function runOn(version: string) {
  const done = { stderr: '', status: undefined as number | undefined, loaded: [] as string[] }
  const process = {
    versions: { node: version },
    stderr: { write: (written: string) => (done.stderr += written) },
    exit(status: number) {
      done.status = status
      throw new Ended()
    },
  }
  try {
    runInNewContext(text, { process, require: (path: string) => done.loaded.push(path) })
  } catch (fault) {
    if (!(fault instanceof Ended)) throw fault
  }
  return done
}

it.each(['8.17.0', '18.20.8', '20.9.0', '20.18.3'])('Node %s prints which version it needs', (version) => {
  expect(runOn(version)).toEqual({
    stderr: `resource-mock needs Node 20.19 or newer, but this is Node ${version}. Install a newer Node.\n`,
    status: 1,
    loaded: [],
  })
})

it.each(['20.19.0', '22.0.0', '100.1.2'])('Node %s starts the command', (version) => {
  expect(runOn(version)).toEqual({ stderr: '', status: undefined, loaded: ['../dist/cjs/launch.cjs'] })
})

it('uses the syntax of 2015, which every Node since 6 can run', () => {
  expect(transformSync(text, { target: 'es2015' }).code).toBe(transformSync(text, { target: 'esnext' }).code)
})

it('requires the same Node version as package.json', () => {
  expect(packageJson.engines.node).toBe('>=20.19')
})
