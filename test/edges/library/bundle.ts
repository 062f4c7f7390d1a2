import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** One file of a bundle. */
export interface BundledFile {
  readonly name: string
  readonly text: string
}

export interface Bundle {
  /** The entry is the first; the others are loaded on demand. */
  readonly files: readonly BundledFile[]
  /** Imports that are not in the bundle. */
  readonly external: readonly string[]
}

/** Bundles a file as an app's bundler does for the browser. */
export async function bundle(file: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: { entry: join(import.meta.dirname, file) },
    outdir: '/bundle',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const files = outputFiles.map(({ path, text }) => ({ name: basename(path), text }))
  const external = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter((one) => one.external === true)
    .map(({ path }) => path)
  return { files: files.toSorted((a) => (a.name === 'entry.js' ? -1 : 1)), external }
}

/** The compressed size in bytes of the code that an import of the bundle loads immediately. */
export function sizeAtOnce({ files }: Bundle): number {
  const reached = new Set<string>()
  const reach = (name: string): void => {
    const text = files.find((file) => file.name === name)?.text
    if (text === undefined || reached.has(name)) return
    reached.add(name)
    for (const [, next = ''] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) reach(next)
  }
  reach('entry.js')
  return files.filter(({ name }) => reached.has(name)).reduce((sum, { text }) => sum + gzipSync(text).length, 0)
}
