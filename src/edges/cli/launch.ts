/**
 * The CommonJS launcher that bin/resource-mock.js loads. It runs the command of main.cjs from V8's code cache; without the
 * cache, startup takes about 25% longer. Node 22.1 and later have a built-in compile cache; this file implements one for
 * Node 20.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

const bundle = join(__dirname, 'main.cjs')
/** The exports of main.cjs: each runs a part of it. */
interface Bundle {
  readonly command: () => void
}

/**
 * Specific to this Node version and architecture: V8 rejects caches from other versions, and compares only the length of
 * the source.
 */
const cache = `${bundle}.${process.version}-${process.arch}.cache`

function findCache(): Buffer | undefined {
  try {
    return readFileSync(cache)
  } catch {
    return undefined
  }
}

function loadCached(): Bundle {
  const cachedData = findCache()
  // The bundle is plain ASCII. Read as latin1, V8 stores and hashes it at half the size.
  const source = `(function (exports, require, module, __filename) {${readFileSync(bundle, 'latin1')}\n})`
  const script = new Script(source, { filename: bundle, ...(cachedData === undefined ? {} : { cachedData }) })
  // On exit, when the code that startup needs is compiled and nobody is waiting.
  if (cachedData === undefined || script.cachedDataRejected === true)
    process.once('exit', () => {
      try {
        writeFileSync(`${cache}.${process.pid}`, script.createCachedData())
        renameSync(`${cache}.${process.pid}`, cache)
      } catch {
        // An installation for all users may not be writable; the next start is then as slow as this one.
      }
    })
  // The source above evaluates to this function, and scripts/bundle.js writes its exports.
  const run = script.runInThisContext() as (
    exports: object,
    require: NodeJS.Require,
    module: object,
    filename: string,
  ) => void
  const main = { exports: {} }
  run(main.exports, module.createRequire(bundle), main, bundle)
  return main.exports as Bundle
}

// A signal that arrives while the bundle loads is delivered afterwards. Without a listener, process 1 of a container would
// never receive it.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGUSR2']) process.once(signal, () => undefined)

/** Undefined in Node 20, whose types are installed here. */
const { enableCompileCache } = module as typeof module & { readonly enableCompileCache?: () => unknown }

if (enableCompileCache === undefined) {
  loadCached().command()
} else {
  enableCompileCache()
  ;(module.createRequire(bundle)(bundle) as Bundle).command()
}
