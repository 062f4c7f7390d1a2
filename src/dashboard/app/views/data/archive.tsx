import { toHere, useAddress } from '../../address.ts'
import { useResource } from '../../live.ts'
import { Link } from '../../parts/controls.tsx'
import { Card, Empty, Failure, ViewHead } from '../../parts/layout.tsx'
import type { JournalRequest } from '../requests/entries.ts'
import { findHistoryPath } from '../requests/story-steps.ts'
import { toHistoryPath, toProjectParams, toProjectText } from './projects.ts'
import type { Project } from './projects.ts'
import { Versions } from './resource.tsx'

/** How many of the newest requests are searched for resources. */
const NEWEST = 500

interface RequestedResource {
  readonly project: Project
  readonly idOrKey: string
}

/** The resources that requests named, without those that did not exist. */
function listResources(requests: readonly JournalRequest[]): readonly RequestedResource[] {
  const paths = requests
    .filter(({ response: { status } }) => (status > 0 && status < 400) || status === 409)
    .flatMap(({ request }) => findHistoryPath(request.url, request.body) ?? [])
  return [...new Set(paths)].map((path) => {
    const { pathname, searchParams } = new URL(path, 'file:///')
    const base = [searchParams.get('region'), searchParams.get('cloudProvider')].filter((part) => part !== null)
    return {
      project: { projectKey: searchParams.get('projectKey') ?? '', baseUrl: base.join('/') },
      idOrKey: decodeURIComponent(pathname.split('/')[2] ?? ''),
    }
  })
}

function ArchivedResource({ project, idOrKey }: RequestedResource) {
  const path = toHistoryPath(project, idOrKey)
  const { value, error } = useResource<{
    readonly resource: { readonly id: string; readonly key?: string }
  }>(path, [])
  return (
    <Card title={value?.resource.key ?? idOrKey}>
      <Failure error={error} />
      {value !== undefined && <Versions project={project} id={value.resource.id} stored="" />}
      <p>
        <Link href={toHere({ resource: undefined })}>All resources</Link>
      </p>
    </Card>
  )
}

/** The versions in the archive of an ended session, which has no other data. */
export function ArchivedDataView() {
  const { params } = useAddress()
  const { value, error } = useResource<{ readonly requests: readonly JournalRequest[] }>(
    `/requests?limit=${NEWEST}`,
    [],
  )
  const resource = params.get('resource')
  const resources = value === undefined ? [] : listResources(value.requests)
  const project = { projectKey: params.get('project') ?? '', baseUrl: params.get('base') ?? '' }
  return (
    <>
      <ViewHead title="Data" />
      <Failure error={error} />
      {resource !== null && <ArchivedResource key={resource} project={project} idOrKey={resource} />}
      {resource === null && value !== undefined && resources.length === 0 && (
        <Empty title="No request named a resource" />
      )}
      {resource === null && resources.length > 0 && (
        <Card title="Resources of the requests">
          <ul class="lines">
            {resources.map((one) => (
              <li key={`${toProjectText(one.project)} ${one.idOrKey}`}>
                <Link href={toHere({ ...toProjectParams(one.project), resource: one.idOrKey })}>{one.idOrKey}</Link>{' '}
                <span class="quiet">{toProjectText(one.project)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}
