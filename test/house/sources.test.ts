import { describe, expect, it } from 'vitest'
import { readSources, toCode, toSource } from './sources.ts'
import type { Source } from './sources.ts'

/** Longer files should be split at the next occasion, so that the next entry of a table still has room. */
const MANY_LINES = 400
const MOST_LINES = 500

const findLongFiles = (sources: readonly Source[], most = MOST_LINES): readonly string[] =>
  sources
    .map(({ path, lines }) => ({ path, count: lines.at(-1) === '' ? lines.length - 1 : lines.length }))
    .filter(({ count }) => count > most)
    .map(({ path, count }) => `${path}:${most + 1} has ${count} lines, more than ${most}: split it by idea.`)

/** Files that may use the clock and randomness: at the edge, and in the composition of the parts. */
const EDGE = [
  'src/node.ts',
  'src/edges/node/',
  'src/edges/cli/',
  'src/mock.ts',
  // One event loop has one queue of time slices.
  'src/util/time-slices.ts',
  // The edge in the browser, and its built file.
  'src/admin/dashboard/app/live.ts',
  'src/admin/dashboard/built-client.ts',
]

const findClocks = (sources: readonly Source[]): readonly string[] =>
  sources
    .filter(({ path }) => !EDGE.some((prefix) => path.startsWith(prefix)))
    .flatMap((source) =>
      toCode(source)
        .split('\n')
        .flatMap((line, index) => {
          const found = /\bDate\.now\(|\bMath\.random\(|\bnew Date\(\s*\)|(?<!\.)\bperformance\.now\(/.exec(line)
          return found === null
            ? []
            : [`${source.path}:${index + 1} says ${found[0]}…: take a clock or a random as an argument.`]
        }),
    )

/** Files that enter sessions for requests, or create them without one: from persisted state, and for data of a write. */
const ENTRANCES = ['src/app/pipeline/enter-session.ts', 'src/sessions/']

/** Files that enter a session directly would miss the other steps of the entrance. */
const findEntrances = (sources: readonly Source[]): readonly string[] =>
  sources
    .filter(({ path }) => !ENTRANCES.some((prefix) => path.startsWith(prefix)))
    .flatMap((source) =>
      toCode(source)
        .split('\n')
        .flatMap((line, index) => {
          const found = /\bsessions\.enter\(|exchange\.session = /.exec(line)
          return found === null ? [] : [`${source.path}:${index + 1} says ${found[0]}…: call enterSession.`]
        }),
    )

/** Process-wide handlers for unhandled errors. */
const findNets = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap((source) =>
    /['"](?:uncaughtException|unhandledRejection)/.test(toCode(source))
      ? [`${source.path} catches for the whole process: handle each promise and error where it arises.`]
      : [],
  )

describe('files of src', () => {
  const sources = readSources('src')

  it(`have at most ${MOST_LINES} lines`, () => {
    for (const sentence of findLongFiles(sources, MANY_LINES)) console.warn(sentence)
    expect(findLongFiles(sources)).toEqual([])
  })

  it('take clocks and randomness as arguments', () => {
    expect(findClocks(sources)).toEqual([])
  })

  it('enter sessions through one function', () => {
    expect(findEntrances(sources)).toEqual([])
  })

  it('handle each promise and error at its source', () => {
    expect(findNets(sources)).toEqual([])
  })
})

describe('the file checker', () => {
  it.each(['uncaughtException', 'unhandledRejection'])('detects a listener to %s', (event) => {
    expect(findNets([toSource('src/edges/cli/serve.ts', `process.on('${event}', log)`)])).toHaveLength(1)
  })

  it('counts lines like an editor', () => {
    expect(findLongFiles([toSource('src/a.ts', 'x\n'.repeat(MOST_LINES))])).toEqual([])
    expect(findLongFiles([toSource('src/a.ts', 'x\n'.repeat(MOST_LINES + 1))])).toHaveLength(1)
  })

  it.each(['Date.now()', 'Math.random()', 'new Date()', 'performance.now()'])('notices %s', (text) => {
    expect(findClocks([toSource('src/app/app.ts', `\nconst a = ${text}`)])).toEqual([
      expect.stringContaining('src/app/app.ts:2 '),
    ])
    expect(findClocks([toSource('src/edges/cli/main.ts', text)])).toEqual([])
    expect(findClocks([toSource('src/app/app.ts', `// not ${text}`)])).toEqual([])
  })

  it.each(['sessions.enter(name)', 'parts.sessions.enter(name)', 'exchange.session = session'])(
    'notices %s',
    (text) => {
      expect(findEntrances([toSource('src/app/app.ts', text)])).toHaveLength(1)
      expect(findEntrances([toSource('src/app/pipeline/enter-session.ts', text)])).toEqual([])
    },
  )
})
