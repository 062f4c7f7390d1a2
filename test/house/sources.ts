import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A file of `src/`, by its path below the repository's root. */
export interface Source {
  readonly path: string
  readonly lines: readonly string[]
}

export interface Import {
  readonly path: string
  readonly line: number
  /** As written for a package (`hono`, `node:fs`), resolved below the root for a file (`src/errors.ts`). */
  readonly target: string
}

const root = join(import.meta.dirname, '..', '..')

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8')

export const toSource = (path: string, text: string): Source => ({ path, lines: text.split('\n') })

/** Every TypeScript file below `folder`. */
export const readSources = (folder: string): readonly Source[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => posix.join(folder, entry.parentPath.slice(join(root, folder).length), entry.name))
    .toSorted()
    .map((path) => toSource(path, readText(path)))

const isComment = (line: string): boolean => /^\s*(\/\/|\/\*|\*)/.test(line)

/** The text with its comment lines blanked, so that examples are not mistaken for code. */
export const toCode = (source: Source): string => source.lines.map((line) => (isComment(line) ? '' : line)).join('\n')

/** Static imports and exports-from, side-effect imports, dynamic imports and `import('…')` types. */
const IMPORTS = [
  /^[ \t]*(?:import|export)\b[^'"`;()]*?\bfrom\s*['"]([^'"]+)['"]/gm,
  /^[ \t]*import\s*['"]([^'"]+)['"]/gm,
  /\bimport\s*\(\s*['"]([^'"]+)['"]/g,
]

export const findImports = (source: Source): readonly Import[] => {
  const code = toCode(source)
  const found = IMPORTS.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(({ 0: statement, 1: specifier = '', index }) => ({
      path: source.path,
      line: code.slice(0, index + statement.length).split('\n').length,
      target: specifier.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : specifier,
    })),
  )
  return found.toSorted((a, b) => a.line - b.line)
}
