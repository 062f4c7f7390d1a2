import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { COMMAND } from './command.ts'

/** Runs a command in a shell, as npm does. */
const NPM = "require('child_process').spawn('sh', ['-c', process.argv[1]], { stdio: 'inherit' })"

const MOCK = `"${process.execPath}" "${COMMAND}" --port 0 --log silent`

interface Started {
  readonly url: string
  /** Kills npm. Resolves once its output is closed, which is when the mock has ended, too. */
  readonly kill: () => Promise<string>
}

/** Starts a mock through a program that passes for npm. */
async function startUnderNpm(script: string, env: Readonly<Record<string, string>> = { npm_lifecycle_event: 'npx' }) {
  const { PATH } = process.env
  const npm = spawn(process.execPath, ['-e', NPM, script], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  npm.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const closed = once(npm, 'close')
  const [line] = (await once(npm.stdout.setEncoding('utf8'), 'data')) as [string]
  const url = /\((.+)\)/.exec(line)?.[1] ?? ''
  const shutDown = () => fetch(`${url}/__admin/shutdown`, { method: 'POST' }).catch(() => undefined)
  onTestFinished(() => void shutDown())
  return {
    url,
    async kill() {
      npm.kill('SIGKILL')
      await closed
      return errors
    },
  } satisfies Started
}

it.each([
  // The shell outlives npm.
  ['in a shell that waits for it', `${MOCK}; exit`, { npm_lifecycle_event: 'npx' }],
  ['in the place of the shell', `exec ${MOCK}`, { npm_lifecycle_event: 'npx' }],
  ['that pnpm runs', `exec ${MOCK}`, { npm_config_user_agent: 'pnpm/10.34.9 npm/? node/v20.20.2 linux x64' }],
  ['that Yarn runs', `exec ${MOCK}`, { npm_config_user_agent: 'yarn/4.18.1 npm/? node/v20.20.2 linux x64' }],
])('a mock %s ends after its parent was killed, and says why', async (_name, script, env) => {
  const { kill } = await startUnderNpm(script, env)
  expect(await kill()).toMatch(/The program that started the mock has ended, .* add --detach\./)
})

it.each([
  ['with --detach', `${MOCK} --detach; exit`, { npm_lifecycle_event: 'npx' }],
  ['that npm did not start', `${MOCK}; exit`, {}],
])('a mock %s keeps running', async (_name, script, env) => {
  const kept = await startUnderNpm(script, env)
  const other = await startUnderNpm(`${MOCK}; exit`)
  void kept.kill()
  // It would have noticed by then.
  await other.kill()
  expect((await fetch(`${kept.url}/__admin/health`)).status).toBe(200)
})
