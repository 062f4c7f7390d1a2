/**
 * Starts and stops the command once, so that V8's code cache exists at the user's first start. Node from 22.1 on manages
 * the cache itself; there, this does nothing.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import module from 'node:module'

if (!('enableCompileCache' in module)) {
  const child = spawn(process.execPath, ['bin/resource-mock.js', '--port', '0', '--log', 'silent'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [data] = await once(child.stdout, 'data')
  const [url] = /http:[^)]+/.exec(String(data)) ?? []
  if (url !== undefined) await fetch(`${url}/warm-up/resource`, { headers: { Authorization: 'Bearer warm-up' } })
  child.kill('SIGTERM')
  const [status] = await ended
  process.exitCode = status
}
