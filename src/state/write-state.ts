import type { Base } from './base.ts'
import { ProjectData } from './project-data.ts'
import { parseProjectId } from './project-name.ts'
import { toImageText, writeItems, writeProject } from './project-record.ts'
import { toResourceText } from './resource-record.ts'
import type { Arrangement, Snapshot, StateData } from './state-data.ts'

/** The format with what several projects begin with, snapshots, scenarios, clocks, and the place of a log. */
export const FORMAT_2 = 'resource-mock/2'

/** Names the bases that several projects share; what only one begins with is part of that one. */
function nameBases({ sessions, snapshots }: StateData): ReadonlyMap<Base, string> {
  const counts = new Map<Base, number>()
  const kept = [...snapshots.values()].flatMap((one) => Array.from(one.values(), ({ data }) => data))
  for (const projects of [...sessions.values(), ...kept]) {
    for (const { base } of projects.values()) counts.set(base, (counts.get(base) ?? 0) + 1)
  }
  const shared = [...counts].filter(([, count]) => count > 1)
  return new Map(shared.map(([base], at) => [base, `base-${at + 1}`]))
}

/** Writes the members of a JSON object, or the items of an array, each by a function that may write it in pieces. */
function* writeAll<Value>(
  values: Iterable<Value>,
  [open, close]: readonly [string, string],
  write: (value: Value) => Iterable<string>,
): Generator<string> {
  let separator = `${open}\n`
  for (const value of values) {
    yield separator
    yield* write(value)
    separator = ',\n'
  }
  yield separator === ',\n' ? close : open + close
}

const ARRAY = ['[', ']'] as const
const OBJECT = ['{', '}'] as const

/** Writes an object whose values are written by a function. */
const writeMembers = <Value>(
  members: Iterable<readonly [string, Value]>,
  write: (value: Value) => Iterable<string>,
): Generator<string> =>
  writeAll(members, OBJECT, function* writeMember([name, value]) {
    yield `${JSON.stringify(name)}:`
    yield* write(value)
  })

/** Writes what was put and removed over a base that others share. */
function* writeChanged(id: string, data: ProjectData, base: string): Generator<string> {
  const { baseUrl, projectKey } = parseProjectId(id)
  const changes = [...data.changed]
  const head = JSON.stringify({
    baseUrl,
    projectKey,
    base,
    removed: changes.filter(([, resource]) => resource === undefined).map(([one]) => one),
    recent: data.recentlyPut(),
    action: data.action,
    posted: [...data.ownPosted()],
  })
  yield `${head.slice(0, -1)},\n"resources":[`
  yield* writeItems(
    changes.flatMap(([, resource]) => resource ?? []),
    toResourceText,
  )
  yield '],\n"images":['
  yield* writeItems(data.ownImages(), toImageText)
  yield ']}'
}

const toArrangementText = ({ active, defined }: Arrangement): string =>
  JSON.stringify({ active, defined: Object.fromEntries(Array.from(defined, ([name, { text }]) => [name, text])) })

/** Writes the whole state, int64 exact, a piece at a time: what `--persist` keeps. The state must not change meanwhile. */
export function* writeState(state: StateData): Generator<string> {
  const { sessions, snapshots, arrangements, clocks, log } = state
  const names = nameBases(state)

  function* writeProjects(projects: ReadonlyMap<string, ProjectData>): Generator<string> {
    yield* writeAll(projects, ARRAY, ([id, data]) => {
      const name = names.get(data.base)
      return name === undefined ? writeProject(parseProjectId(id), data) : writeChanged(id, data, name)
    })
  }

  function* writeSnapshot({ name, takenAt, data }: Snapshot): Generator<string> {
    yield `{"name":${JSON.stringify(name)},"takenAt":${JSON.stringify(takenAt)},"projects":`
    yield* writeProjects(data)
    yield '}'
  }

  yield `{"format":"${FORMAT_2}",${log === undefined ? '' : `\n"log":${JSON.stringify(log)},`}\n"sessions":`
  yield* writeMembers(sessions, writeProjects)
  yield ',\n"snapshots":'
  yield* writeMembers(snapshots, (one) => writeAll(one.values(), ARRAY, writeSnapshot))
  yield ',\n"scenarios":'
  yield* writeMembers(arrangements, (one) => [toArrangementText(one)])
  yield ',\n"clocks":'
  yield* writeMembers(clocks, (one) => [JSON.stringify(one)])
  yield ',\n"bases":'
  const bases = Array.from(names, ([base, name]) => [name, new ProjectData(base)] as const)
  yield* writeMembers(bases, (data) => writeProject({ baseUrl: '', projectKey: '' }, data))
  yield '}\n'
}

/** As {@link writeState}, whole. */
export const toStateText = (state: StateData): string => [...writeState(state)].join('')
