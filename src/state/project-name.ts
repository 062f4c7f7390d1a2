/** Where a project is: the name of its base URL (`eu/gcp`, or empty) and its key. */
export interface ProjectName {
  readonly baseUrl: string
  readonly projectKey: string
}

/**
 * The name under which a session keeps what each of its other projects starts with, in the place of the fixtures. No
 * path names it: a project key is never empty (D71).
 */
export const EVERY_PROJECT: ProjectName = { baseUrl: '', projectKey: '' }

const SEPARATOR = '\u0000'

export const toProjectId = ({ baseUrl, projectKey }: ProjectName): string => baseUrl + SEPARATOR + projectKey

export function parseProjectId(id: string): ProjectName {
  const at = id.indexOf(SEPARATOR)
  return { baseUrl: id.slice(0, at), projectKey: id.slice(at + 1) }
}
