import type { Import } from './sources.ts'

/** The rooms of `src/`: imports, those of types included, only point towards the first. The entries belong to the last one. */
export const ROOMS: readonly string[] = [
  'errors.ts',
  'util',
  'service',
  'sessions',
  'app',
  'admin',
  'mock.ts',
  'tools',
  'edges',
]

const ENTRIES = new Set(
  ['index', 'node', 'playwright', 'msw', 'redis', 'vite', 'ssr', 'reporter', 'resilience'].map((name) => `${name}.ts`),
)

/** The floors of each room with several folders: its files and folders, imported towards the first as well. */
const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  service: [['http'], ['contract'], ['state', 'auth', 'query', 'scenarios'], ['operations'], ['openapi']],
  sessions: [['', 'journal'], ['pact']],
  app: [['options', 'pipeline'], ['app.ts']],
  admin: [['api'], ['dashboard', 'client'], ['mcp']],
  tools: [['verify', 'proxy', 'resilience']],
  edges: [['', 'node', 'cli', 'playwright', 'msw', 'vite', 'redis', 'reporter']],
}

interface Place {
  readonly room: string
  /** A folder or file of the room; empty for its other files. */
  readonly part: string
}

const isEntry = (path: string): boolean => path.split('/').length === 2

/** The room and the part of it that contain a file; generated facts about the package lie next to the errors. */
function placeOf(path: string): Place {
  const [, first = '', second = ''] = path.split('/')
  if (first === 'version.ts') return { room: 'errors.ts', part: '' }
  const room = ENTRIES.has(first) ? 'edges' : first
  const isLoose = isEntry(path) || (second.endsWith('.ts') && FLOORS[room]?.flat().includes(second) !== true)
  return { room, part: isLoose || FLOORS[room] === undefined ? '' : second }
}

const nameOf = ({ room, part }: Place): string => (part === '' ? room : `${room}/${part}`)
const floorOf = ({ room, part }: Place): number => FLOORS[room]?.findIndex((floor) => floor.includes(part)) ?? 0

const isInternal = ({ target }: Import): boolean => target.startsWith('src/')

/** A message for each import that points up, or to or from a folder that no room has. */
export const findUpwardImports = (imports: readonly Import[]): readonly string[] =>
  imports.filter(isInternal).flatMap(({ path, line, target }) => {
    const [from, to] = [placeOf(path), placeOf(target)]
    const homeless = [from, to].find((place) => !ROOMS.includes(place.room) || floorOf(place) === -1)
    if (homeless !== undefined)
      return [`${path}:${line} src/${nameOf(homeless)} has no place: name it in test/house/layers.ts.`]
    const [lower, upper] = [ROOMS.indexOf(from.room), ROOMS.indexOf(to.room)]
    const isUpward = upper > lower || (upper === lower && floorOf(to) > floorOf(from))
    return isUpward
      ? [
          `${path}:${line} imports ${target}, which lies above it: move what is shared down to ${nameOf(from)}, or pass it in.`,
        ]
      : []
  })

/** A message for each cycle of folders within one floor of a room. */
export const findFolderCycles = (imports: readonly Import[]): readonly string[] => {
  const edges = new Map<string, Map<string, Import>>()
  for (const one of imports.filter(isInternal)) {
    const [fromPlace, toPlace] = [placeOf(one.path), placeOf(one.target)]
    const [from, to] = [nameOf(fromPlace), nameOf(toPlace)]
    const apart = from !== to && fromPlace.room === toPlace.room && floorOf(fromPlace) === floorOf(toPlace)
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

const NODE_EDGE = ['src/node.ts', 'src/edges/node/']

const BORDERS: readonly Border[] = [
  {
    what: 'lowdb',
    isCrossed: (target) => target === 'lowdb' || target.startsWith('lowdb/'),
    allowed: ['src/service/state/', ...NODE_EDGE],
  },
  { what: 'ioredis', isCrossed: (target) => target === 'ioredis', allowed: ['src/edges/redis/'] },
  {
    what: 'undici',
    isCrossed: (target) => target === 'undici',
    allowed: ['src/edges/node/', 'src/tools/proxy/upstream.ts'],
  },
  { what: 'commander', isCrossed: (target) => target === 'commander', allowed: ['src/edges/cli/'] },
  {
    what: 'node:*',
    isCrossed: (target) => target.startsWith('node:'),
    allowed: [...NODE_EDGE, 'src/edges/cli/', 'src/edges/playwright/', 'src/edges/reporter/', 'src/edges/vite/'],
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
