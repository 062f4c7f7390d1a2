import type { WrittenResource } from '../../../../api/resources.ts'
import { toHere, useAddress } from '../../address.ts'
import { useResource } from '../../live.ts'
import { Link } from '../../parts/controls.tsx'
import { Card, Empty, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { Time, toCountText } from '../../parts/status.tsx'
import { DataTable } from '../../parts/table.tsx'
import { toProjectParams, toProjectName } from './projects.ts'
import { VersionList } from './resource.tsx'

/** How many resources are listed; a table is not for more. */
export const MOST_WRITTEN = 500

export interface WrittenList {
  readonly resources: readonly WrittenResource[]
  readonly meta: { readonly total: number }
}

const WrittenResources = ({ resources, meta: { total } }: WrittenList) => (
  <Card title={toCountText(total, 'written resource')}>
    <DataTable
      label="Written resources"
      rows={resources}
      keyOf={(one) => `${toProjectName(one)} ${one.id}`}
      columns={[
        {
          title: 'Key or id',
          track: 'minmax(160px, 1fr)',
          cell: (one) => <Link href={toHere({ ...toProjectParams(one), resource: one.id })}>{one.key ?? one.id}</Link>,
        },
        { title: 'Project', cell: toProjectName },
        { title: 'Version', isNumber: true, cell: ({ version, isDeleted }) => (isDeleted ? 'deleted' : version) },
        { title: 'Versions kept', isNumber: true, cell: ({ versions }) => versions },
        { title: 'Last modified', cell: ({ lastModifiedAt }) => <Time at={lastModifiedAt} isLong /> },
      ]}
    />
    {total > resources.length && <p class="quiet">The last {MOST_WRITTEN} are listed.</p>}
  </Card>
)

/** The versions in the archive of an ended session, which has no other data. */
export function ArchivedDataView() {
  const { params } = useAddress()
  const { value, error } = useResource<WrittenList>(`/resources?limit=${MOST_WRITTEN}`, [])
  const id = params.get('resource')
  const project = { projectKey: params.get('project') ?? '', baseUrl: params.get('base') ?? '' }
  return (
    <>
      <ViewHead title="Data" />
      <ErrorNotice error={error} />
      {id !== null && (
        <Card
          title={value?.resources.find((one) => one.id === id)?.key ?? id}
          tools={<Link href={toHere({ resource: undefined })}>All resources</Link>}
        >
          <VersionList project={project} id={id} stored="" />
        </Card>
      )}
      {id === null && value?.meta.total === 0 && <Empty title="No resource was written" />}
      {id === null && value !== undefined && value.meta.total > 0 && <WrittenResources {...value} />}
    </>
  )
}
