import type { Import } from './sources.ts'

/**
 * The layers of `src/`: imports only point towards the first.
 * A name is a folder of `src/` or a file in it; the files that no layer names are part of the app.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['errors.ts', 'version.ts', 'util', 'http'],
  ['contract'],
  ['state', 'auth', 'query', 'scenarios'],
  ['operations'],
  ['sessions', 'journal'],
  ['openapi', 'options', 'pact', 'pipeline'],
  ['admin'],
  ['dashboard', 'client'],
  ['mcp'],
  ['app.ts'],
  ['mock.ts'],
  ['verify', 'proxy', 'resilience'],
  [
    'index.ts',
    'node.ts',
    'node',
    'playwright.ts',
    'playwright',
    'msw.ts',
    'msw',
    'redis.ts',
    'redis',
    'vite.ts',
    'vite',
    'ssr.ts',
    'reporter.ts',
    'resilience.ts',
    'reporter',
    'cli',
  ],
]

/** The folder or file of `src/` that contains a path; files without a layer of their own belong to the app. */
const partOf = (path: string): string => {
  const part = path.split('/')[1] ?? path
  return part.endsWith('.ts') && !LAYERS.flat().includes(part) ? 'app.ts' : part
}
const layerOf = (part: string): number => LAYERS.findIndex((layer) => layer.includes(part))

const isInternal = ({ target }: Import): boolean => target.startsWith('src/')

/** A message for each import that points up, or to or from a folder without a layer. */
export const findUpwardImports = (imports: readonly Import[]): readonly string[] =>
  imports.filter(isInternal).flatMap(({ path, line, target }) => {
    const [from, to] = [partOf(path), partOf(target)]
    const homeless = [from, to].find((part) => layerOf(part) === -1)
    if (homeless !== undefined)
      return [`${path}:${line} src/${homeless} has no layer: name it in test/house/layers.ts.`]
    if (layerOf(to) <= layerOf(from)) return []
    return [
      `${path}:${line} imports ${target}, which lies above it: move what is shared down to ${LAYERS[layerOf(from)]?.join(', ')}, or pass it in.`,
    ]
  })

/** A message for each cycle of folders within one layer. */
export const findFolderCycles = (imports: readonly Import[]): readonly string[] => {
  const edges = new Map<string, Map<string, Import>>()
  for (const one of imports.filter(isInternal)) {
    const [from, to] = [partOf(one.path), partOf(one.target)]
    const apart = from !== to && layerOf(from) === layerOf(to)
    if (apart) edges.set(from, (edges.get(from) ?? new Map<string, Import>()).set(to, one))
  }
  const pathBack = (from: string, goal: string, seen: ReadonlySet<string>): readonly Import[] | undefined => {
    for (const [to, edge] of edges.get(from) ?? []) {
      if (to === goal) return [edge]
      const rest = seen.has(to) ? undefined : pathBack(to, goal, new Set([...seen, to]))
      if (rest !== undefined) return [edge, ...rest]
    }
    return undefined
  }
  return [...edges.keys()].flatMap((part) => {
    const circle = pathBack(part, part, new Set([part]))
    if (circle === undefined) return []
    const steps = circle.map(({ path, line, target }) => `${path}:${line} → ${target}`).join(', ')
    return [`src/${part} imports itself by way of ${steps}: move what is shared into a lower layer.`]
  })
}

/** The files that import themselves indirectly; type imports count, too. */
export const findFileCycles = (imports: readonly Import[]): readonly string[] => {
  const targets = new Map<string, string[]>()
  for (const { path, target } of imports.filter(isInternal)) targets.set(path, [...(targets.get(path) ?? []), target])
  const reaches = (goal: string): boolean => {
    const seen = new Set(targets.get(goal))
    for (const path of seen) for (const target of targets.get(path) ?? []) seen.add(target)
    return seen.has(goal)
  }
  return [...targets.keys()].filter(reaches)
}

interface Border {
  readonly what: string
  readonly isCrossed: (target: string) => boolean
  /** Prefixes of the paths that may import it. */
  readonly allowed: readonly string[]
}

const NODE_EDGE = ['src/node.ts', 'src/node/']

const BORDERS: readonly Border[] = [
  {
    what: 'lowdb',
    isCrossed: (target) => target === 'lowdb' || target.startsWith('lowdb/'),
    allowed: ['src/state/', ...NODE_EDGE],
  },
  { what: 'ioredis', isCrossed: (target) => target === 'ioredis', allowed: ['src/redis.ts', 'src/redis/'] },
  { what: 'commander', isCrossed: (target) => target === 'commander', allowed: ['src/cli/'] },
  {
    what: 'node:*',
    isCrossed: (target) => target.startsWith('node:'),
    allowed: [...NODE_EDGE, 'src/cli/', 'src/playwright/', 'src/reporter/', 'src/vite/'],
  },
]

/** A message for each import of a package that is restricted to one part of the project. */
export const findForeignImports = (imports: readonly Import[]): readonly string[] =>
  imports.flatMap(({ path, line, target }) =>
    BORDERS.filter(
      ({ isCrossed, allowed }) => isCrossed(target) && !allowed.some((prefix) => path.startsWith(prefix)),
    ).map(
      ({ what, allowed }) =>
        `${path}:${line} imports ${target}, but only ${allowed.join(', ')} may know ${what}: take what is needed as an argument.`,
    ),
  )
