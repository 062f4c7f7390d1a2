/**
 * Uses the packed package on every Node it promises to run on, and on Bun and Deno. The binaries of
 * Node come from the npm packages that `node` is made of, one per platform, and stay in node_modules/.cache.
 *
 * Run it with: npm run test:nodes, or npm run test:nodes -- --suite for the whole test suite on each; --node 22 picks one.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { install, pack } from './pack.js'
import { createSteps } from './steps.js'

const NODES = ['20', '22', '24', '26']

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: options } = parseArgs({
  options: { suite: { type: 'boolean', default: false }, node: { type: 'string', multiple: true, default: NODES } },
})

/**
 * The package `node` itself only fetches this one, with an install script that npm may not run.
 *
 * @param {string} major
 * @returns {Promise<string>} the path of that Node's binary
 */
async function installNode(major) {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const dependency = `node-${platform}-${process.arch}`
  const folder = join(root, 'node_modules', '.cache', 'nodes', major)
  const binary = join(folder, 'node_modules', dependency, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(binary)) return binary
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
  await install(folder, '--ignore-scripts', `${dependency}@${major}`)
  return binary
}

/**
 * Runs a script on the given Node, which comes first in the path of every process that the script starts.
 *
 * @param {string} node
 * @param {readonly string[]} script
 */
async function runOn(node, script) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  const child = spawn(node, script, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`${script.join(' ')} ended with status ${status}.`)
}

/**
 * Runs one of the contract tools; if it fails, the error has its output.
 *
 * @param {string} tool
 * @param {readonly string[]} args
 */
async function runTool(tool, ...args) {
  try {
    await promisify(execFile)(join(root, 'test/contract-tools/node_modules/.bin', tool), args, { cwd: root })
  } catch (fault) {
    throw new Error(`${tool} ${args.join(' ')} failed:\n${fault.stdout}${fault.stderr}`, { cause: fault })
  }
}

/** A dry run of publishing: npm warns about everything that it would correct in package.json. */
async function rehearsePublishing() {
  const { stderr } = await promisify(execFile)('npm', ['publish', '--dry-run', '--ignore-scripts'], { cwd: root })
  const warnings = stderr
    .split('\n')
    .filter((line) => line.startsWith('npm warn publish') && !line.includes('logged in'))
  if (warnings.length > 0) throw new Error(`${warnings.join('\n')}\nRun "npm pkg fix" to see what npm would change.`)
}

/**
 * Like `Promise.all`, but waits for all promises before it throws the first error.
 *
 * @template Value
 * @param {readonly Promise<Value>[]} promises
 * @returns {Promise<readonly Value[]>}
 */
async function all(promises) {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

const folder = await mkdtemp(join(tmpdir(), 'resource-mock-nodes-'))
const { step, close } = createSteps()
try {
  const tarball = await step('packs', () => pack(folder))
  const others = async () => {
    await step('passes publint', () => runTool('publint', '--strict', tarball))
    await step('publishes without a warning (dry run)', rehearsePublishing)
    // Without a profile, it also checks moduleResolution node (node10).
    await step('passes @arethetypeswrong/cli for every entry', () => runTool('attw', tarball, '--quiet'))
    await step('passes the smoke test on Bun and Deno', () =>
      runOn(process.execPath, ['scripts/smoke-runtimes.js', '--tarball', tarball]),
    )
  }
  const smokeTests = options.node.map(async (major) => {
    const node = await step(`installs Node ${major}`, () => installNode(major))
    await step(`passes the smoke test on Node ${major}`, () => runOn(node, ['scripts/smoke.js', '--tarball', tarball]))
    return { major, node }
  })
  const [nodes] = await all([all(smokeTests), others()])
  // The project's tests share its folder, so they take turns.
  for (const { major, node } of nodes) {
    if (options.suite) {
      await step(`passes its tests on Node ${major}`, () => runOn(node, ['node_modules/vitest/vitest.mjs', 'run']))
    } else if (major === '22') {
      // The suite itself may run on Node 20, but MSW 3 does not.
      await step(`passes the tests of MSW 3 on Node ${major}`, () =>
        // Not the report of continuous integration, which may be running all tests.
        runOn(node, [
          'node_modules/vitest/vitest.mjs',
          'run',
          '--reporter=default',
          'test/contract-tools/msw/msw-3.test.ts',
        ]),
      )
    }
  }
} catch (fault) {
  console.error(fault)
} finally {
  await rm(folder, { recursive: true, force: true })
  close()
}
