/**
 * What bin/resource-mock.js loads, built as CommonJS: runs the bundle, main.cjs, from V8's code cache, without which a
 * start takes about a quarter longer. Node has that built in from 22.1 on; for Node 20 it is done here.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

const bundle = join(__dirname, 'main.cjs')
/** Of this Node alone: V8 takes no other's, and would compare the length of the source only. */
const cache = `${bundle}.${process.version}-${process.arch}.cache`

function findCache(): Buffer | undefined {
  try {
    return readFileSync(cache)
  } catch {
    return undefined
  }
}

function keepCache(script: Script): void {
  try {
    writeFileSync(`${cache}.${process.pid}`, script.createCachedData())
    renameSync(`${cache}.${process.pid}`, cache)
  } catch {
    // An installation for all users may not be writable; the next start is then as slow as this one.
  }
}

function runCached(): void {
  const cachedData = findCache()
  // The bundle is plain ASCII, which V8 keeps, and hashes, at half the size if the encoding says so.
  const source = `(function (exports, require, module) {${readFileSync(bundle, 'latin1')}\n})`
  const script = new Script(source, { filename: bundle, ...(cachedData === undefined ? {} : { cachedData }) })
  // At the end, when what a start needs is compiled and nobody waits.
  if (cachedData === undefined || script.cachedDataRejected === true) process.once('exit', () => keepCache(script))
  // The source above is this function.
  const run = script.runInThisContext() as (exports: object, require: NodeJS.Require, module: object) => void
  const main = { exports: {} }
  run(main.exports, module.createRequire(bundle), main)
}

/** Absent from Node 20, whose types these are. */
const { enableCompileCache } = module as typeof module & { readonly enableCompileCache?: () => unknown }

if (enableCompileCache === undefined) {
  runCached()
} else {
  enableCompileCache()
  module.createRequire(bundle)(bundle)
}
