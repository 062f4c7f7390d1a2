import { parseAddress, toBaseUrlName } from '../http/address.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { parseProjectId, toProjectId } from '../state/store.ts'
import type { ProjectName } from '../state/store.ts'
import { FIRST_ROWS } from './row-limits.ts'
import { take } from './rows.ts'
import type { ViewContext } from './view-context.ts'

/** A project of the session, and whether it differs from the fixtures. */
export interface KnownProject extends ProjectName {
  readonly isWritten: boolean
}

/** The project of the contract's examples, which is looked at as long as none was asked for. */
export const EXAMPLE_PROJECT: ProjectName = { baseUrl: '', projectKey: 'acme' }

function findBaseUrl(url: string): string {
  try {
    return toBaseUrlName(parseAddress(url).baseUrl)
  } catch {
    // Malformed percent-encoding was refused with a 400, and named no project.
    return ''
  }
}

/** The project that a request was about, in the namespace of its base URL. */
export const findProject = ({ projectKey, request }: JournalEntry): ProjectName | undefined =>
  projectKey === undefined ? undefined : { projectKey, baseUrl: findBaseUrl(request.url) }

/** The projects that the newest requests of the session were to, newest first, and those that it changed. */
export function listProjects({ parts, session }: ViewContext): readonly KnownProject[] {
  const written = parts.store.written(session.name)
  const ids = new Set<string>()
  for (const entry of take(session.journal.newest(), FIRST_ROWS)) {
    const project = findProject(entry)
    if (project !== undefined) ids.add(toProjectId(project))
  }
  for (const id of written.keys()) ids.add(id)
  return [...ids].map((id) => ({ ...parseProjectId(id), isWritten: written.has(id) }))
}

/** The project that the address asks for, else the one that was asked for last. */
export function chooseProject(context: ViewContext, projects: readonly ProjectName[]): ProjectName {
  const projectKey = context.param('project')
  if (projectKey !== '') return { projectKey, baseUrl: context.param('base') }
  return projects[0] ?? EXAMPLE_PROJECT
}

/** Writes the project that a page shows into its place, so that it stays with that one, whichever is asked for next. */
export function keepProject(context: ViewContext): void {
  if (context.param('project') !== '') return
  const chosen = toProjectParameters(chooseProject(context, listProjects(context)))
  for (const [name, value] of Object.entries(chosen)) {
    if (value === '') context.place.query.delete(name)
    else context.place.query.set(name, value)
  }
}

/** `acme`, or `eu/gcp · acme` with a base URL of its own. */
export const toProjectText = ({ baseUrl, projectKey }: ProjectName): string =>
  baseUrl === '' ? projectKey : `${baseUrl} · ${projectKey}`

/** Whether two names are of one project: those of one key are apart where their base URLs are. */
export const isSameProject = (one: ProjectName, other: ProjectName): boolean => toProjectId(one) === toProjectId(other)

/** The parameters that keep a project in an address. */
export const toProjectParameters = ({ baseUrl, projectKey }: ProjectName): Readonly<Record<string, string>> => ({
  project: projectKey,
  base: baseUrl,
})

/** The path of a project in the admin API, with its base URL. */
export function toStatePath({ baseUrl, projectKey }: ProjectName, rest = ''): string {
  const [region = '', cloudProvider = ''] = baseUrl.split('/')
  const search = baseUrl === '' ? '' : `?${new URLSearchParams({ region, cloudProvider })}`
  return `/state/${encodeURIComponent(projectKey)}${rest}${search}`
}
