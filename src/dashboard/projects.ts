import { parseAddress, toBaseUrlName } from '../http/request-head.ts'
import type { JournalEntry } from '../journal/record.ts'
import { parseProjectId, toProjectId } from '../state/project-data.ts'
import type { ProjectName } from '../state/project-data.ts'
import { FIRST_ROWS } from './row.ts'
import { readNewest } from './rows.ts'
import type { ViewContext } from './view-context.ts'

/** A project of the session, and whether it differs from the fixtures. */
export interface KnownProject extends ProjectName {
  readonly isWritten: boolean
}

/** The project of the contract's examples, shown until a request names another. */
export const EXAMPLE_PROJECT: ProjectName = { baseUrl: '', projectKey: 'acme' }

function findBaseUrl(url: string): string {
  try {
    return toBaseUrlName(parseAddress(url).baseUrl)
  } catch {
    // Malformed percent-encoding got a 400 and named no project.
    return ''
  }
}

/** The project of a request, with its base URL. */
export const findProject = ({ projectKey, request }: JournalEntry): ProjectName | undefined =>
  projectKey === undefined ? undefined : { projectKey, baseUrl: findBaseUrl(request.url) }

/** The projects of the newest requests of the session, newest first, and those that it changed. */
export async function listProjects(context: ViewContext): Promise<readonly KnownProject[]> {
  const { parts, session } = context
  const written = parts.store.written(session.name)
  const ids = new Set<string>()
  for await (const entry of readNewest(context, session.journal.exchanges(), FIRST_ROWS)) {
    const project = findProject(entry)
    if (project !== undefined) ids.add(toProjectId(project))
  }
  for (const id of written.keys()) ids.add(id)
  return [...ids].map((id) => ({ ...parseProjectId(id), isWritten: written.has(id) }))
}

/** The project named in the URL, else that of the last request. */
export function chooseProject(context: ViewContext, projects: readonly ProjectName[]): ProjectName {
  const projectKey = context.param('project')
  if (projectKey !== '') return { projectKey, baseUrl: context.param('base') }
  return projects[0] ?? EXAMPLE_PROJECT
}

/** Writes the shown project into the URL, so that the page keeps showing it. */
export async function keepProject(context: ViewContext): Promise<void> {
  if (context.param('project') !== '') return
  const chosen = toProjectParameters(chooseProject(context, await listProjects(context)))
  for (const [name, value] of Object.entries(chosen)) {
    if (value === '') context.place.query.delete(name)
    else context.place.query.set(name, value)
  }
}

/** `acme`, or `eu/gcp · acme` with a base URL of its own. */
export const toProjectText = ({ baseUrl, projectKey }: ProjectName): string =>
  baseUrl === '' ? projectKey : `${baseUrl} · ${projectKey}`

/** Whether two names are the same project: same key and same base URL. */
export const isSameProject = (one: ProjectName, other: ProjectName): boolean => toProjectId(one) === toProjectId(other)

/** The URL parameters of a project. */
export const toProjectParameters = ({ baseUrl, projectKey }: ProjectName): Readonly<Record<string, string>> => ({
  project: projectKey,
  base: baseUrl,
})

/** The path of a project in the admin API, with its base URL. */
export function toStatePath(
  { baseUrl, projectKey }: ProjectName,
  rest = '',
  query: Readonly<Record<string, string>> = {},
): string {
  const [region = '', cloudProvider = ''] = baseUrl.split('/')
  const search = new URLSearchParams({ ...(baseUrl === '' ? {} : { region, cloudProvider }), ...query })
  return `/state/${encodeURIComponent(projectKey)}${rest}${search.size === 0 ? '' : `?${search}`}`
}
