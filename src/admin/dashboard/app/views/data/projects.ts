import type { toMeta } from '../../../../api/resources.ts'
import { findIn, findJsonTree, toJsonLine, toPrettyJson } from '../../parts/json-tree.ts'
import type { JsonNode } from '../../parts/json-tree.ts'

/** A project of the session. */
export interface ListedProject {
  readonly projectKey: string
  /** `eu/gcp`; empty without region and cloud provider. */
  readonly baseUrl: string
}

/** `acme`, or `eu/gcp · acme` with its base URL. */
export const toProjectName = ({ baseUrl, projectKey }: ListedProject): string =>
  baseUrl === '' ? projectKey : `${baseUrl} · ${projectKey}`

export const isSameProject = (one: ListedProject, other: ListedProject): boolean =>
  one.projectKey === other.projectKey && one.baseUrl === other.baseUrl

/** The parameters of the address that name a project. */
export const toProjectParams = ({ baseUrl, projectKey }: ListedProject) => ({ project: projectKey, base: baseUrl })

/** The query of the admin API that names a project's base URL, and other parameters. */
function toQuery({ baseUrl }: ListedProject, others: Readonly<Record<string, string>>): string {
  const [region = '', cloudProvider = ''] = baseUrl.split('/')
  // Empty parameters are left out.
  const all = Object.entries({ region, cloudProvider, ...others }).filter(([, value]) => value !== '')
  return all.length === 0 ? '' : `?${new URLSearchParams(all)}`
}

/** A path of the admin API below a project's state. */
export const toProjectStatePath = (
  project: ListedProject,
  rest: string,
  others: Readonly<Record<string, string>> = {},
): string => `/state/${encodeURIComponent(project.projectKey)}${rest}${toQuery(project, others)}`

export const toRecordPath = (
  project: ListedProject,
  id: string,
  others: Readonly<Record<string, string>> = {},
): string => toProjectStatePath(project, `/resources/${encodeURIComponent(id)}`, others)

export const toVersionsPath = (project: ListedProject, id: string): string =>
  `/resources/${encodeURIComponent(id)}/versions${toQuery(project, { projectKey: project.projectKey })}`

/** The version in the text of a record; undefined if it has none. */
export function findVersionIn(text: string): number | undefined {
  const node = findIn(findJsonTree(text, Infinity), 'version')
  return node?.kind === 'number' ? Number(node.text) : undefined
}

/**
 * How to store a record: under the next version, unless the user changed its version; and only if the stored version is
 * still the one that the text replaces.
 */
export function toWriteParams(text: string, before: string, isOverwrite: boolean): Readonly<Record<string, string>> {
  const version = findVersionIn(before)
  const isNext = version !== undefined && (isOverwrite || (findVersionIn(text) ?? version) === version)
  return { ifVersion: String(version ?? 0), ...(isNext ? { version: 'next' } : {}) }
}

/** A version of a resource, as the admin API lists it, with its record as formatted text; empty for a deletion. */
export type VersionMeta = ReturnType<typeof toMeta> & { readonly text: string }

const toFormatted = (node: JsonNode | undefined): string => (node === undefined ? '' : toPrettyJson(node))

/** Reads the answer of `GET /resources/{id}/versions`; records keep all digits. */
export function parseVersions(text: string): readonly VersionMeta[] {
  const { versions } = JSON.parse(text) as { readonly versions: readonly Omit<VersionMeta, 'text'>[] }
  const tree = findJsonTree(text, Infinity)
  return versions.map((one, at) => ({ ...one, text: toFormatted(findIn(tree, 'versions', at, 'resource')) }))
}

/** How many changed members of a version are named. */
const NAMED_CHANGES = 3

const toShortLine = (node: JsonNode | undefined): string => {
  const line = node === undefined ? 'none' : toJsonLine(node)
  return line.length > 40 ? `${line.slice(0, 40)}…` : line
}

/** The members of records by path; those of an object inside have its name in front. */
const listMembers = (node: JsonNode | undefined, path = ''): readonly (readonly [string, JsonNode])[] =>
  node === undefined || !('members' in node)
    ? []
    : node.members.flatMap(({ key = '', value }) => {
        const name = path + key.slice(1, -1)
        return value.kind === 'object' ? listMembers(value, `${name}.`) : [[name, value] as const]
      })

/**
 * What a version changed, in a line.
 *
 * @example toChangeText('{"version":1,"key":"a"}', '{"version":2,"key":"b"}') // 'key: "a" → "b"'
 */
export function toChangeText(before: string, after: string): string {
  const [from, to] = [before, after].map((text) => new Map(listMembers(findJsonTree(text, Infinity))))
  const names = new Set([...(from?.keys() ?? []), ...(to?.keys() ?? [])])
  const changes = [...names].flatMap((name) => {
    const [was, is] = [toShortLine(from?.get(name)), toShortLine(to?.get(name))]
    const isSame = JSON.stringify(from?.get(name)) === JSON.stringify(to?.get(name))
    return isSame || name === 'version' || name === 'lastModifiedAt'
      ? []
      : [`${name.split('.').at(-1)}: ${was} → ${is}`]
  })
  if (changes.length === 0) return 'Only the version changed'
  const more = changes.length - NAMED_CHANGES
  return changes.slice(0, NAMED_CHANGES).join(', ') + (more > 0 ? `, and ${more} more` : '')
}

interface SnapshotChange {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly id: string
  readonly key?: string
  readonly before: string
  readonly after: string
}

interface ProjectChanges extends ListedProject {
  readonly changes: readonly SnapshotChange[]
  readonly more: number
  readonly images: { readonly added: number; readonly removed: number }
}

/** Reads the answer of `GET /snapshots/{name}/changes`; records keep all digits. */
export function parseChanges(text: string): readonly ProjectChanges[] {
  const { projects } = JSON.parse(text) as { readonly projects: readonly ProjectChanges[] }
  const tree = findJsonTree(text, Infinity)
  return projects.map((project, at) => ({
    ...project,
    changes: project.changes.map((change, position) => {
      const read = (name: string) => toFormatted(findIn(tree, 'projects', at, 'changes', position, name))
      return { ...change, before: read('before'), after: read('after') }
    }),
  }))
}
