import { useLayoutEffect } from 'hono/jsx/dom'
import type { WrittenResource } from '../../../../api/resources.ts'
import type { StoredResource } from '../../../../../service/state/resource.ts'
import { createId, go, toHere, toView, useAddress } from '../../address.ts'
import { useHeld, useLive, useResource } from '../../live.ts'
import { Button, Link } from '../../parts/controls.tsx'
import { FormField, Select, TextField } from '../../parts/form.tsx'
import { Card, Empty, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { Time, toCountText, toShortKey, toShortText } from '../../parts/status.tsx'
import { DataTable } from '../../parts/table.tsx'
import { isSameProject, toProjectParams, toProjectName, toProjectStatePath } from './projects.ts'
import type { ListedProject } from './projects.ts'
import { ResourceCard, ResourceVersions } from './resource.tsx'
import { ClockCard, SnapshotComparison, SnapshotsCard } from './snapshots.tsx'

/** How many written resources are searched for deleted ones. */
const MOST_WRITTEN = 500

interface WrittenList {
  readonly resources: readonly WrittenResource[]
}

/** How many members of a list are shown. */
const SHOWN_STRINGS = 20

/** How many resources a page has. */
const RESOURCES_A_PAGE = 25

const SORTS = [
  ['', 'Creation order'],
  ['lastModifiedAt desc', 'Last modified'],
  ['key', 'By key'],
  ['version desc', 'Most versions'],
] as const

/** Fields of a form by name. */
function readFields(event: Event): Readonly<Record<string, string>> {
  event.preventDefault()
  if (!(event.currentTarget instanceof HTMLFormElement)) return {}
  return Object.fromEntries(
    Array.from(new FormData(event.currentTarget), ([name, value]) => [name, typeof value === 'string' ? value : '']),
  )
}

/** Whether a search is a predicate of the where language; otherwise its words are searched for. */
const isPredicate = (text: string): boolean => /[=<>()"]|\b(?:is|not|in|contains|within)\b/i.test(text)

const ResourceSearch = ({ error }: { readonly error: string | undefined }) => {
  const { params } = useAddress()
  return (
    <form
      class="line"
      role="search"
      aria-label="Search resources"
      onSubmit={(event: Event) => go(toHere({ ...readFields(event), page: undefined }))}
    >
      <TextField
        label="Search"
        error={error?.split('\n', 1)[0]}
        class="mono"
        name="where"
        value={params.get('where') ?? ''}
        placeholder='oak table, or a predicate such as version > 2 and arrayOfStringExample contains any ("oak")'
      />
      <FormField label="Order">
        {({ id }) => <Select id={id} name="sort" options={SORTS} value={params.get('sort') ?? ''} />}
      </FormField>
      <Button type="submit">Search</Button>
    </form>
  )
}

interface ResourcePage {
  readonly offset: number
  readonly total: number
  readonly results: readonly StoredResource[]
}

/** The resources of a project, searched by words or by the where language. */
function ProjectResources({ project }: { readonly project: ListedProject }) {
  const { params } = useAddress()
  const [where, sort] = [params.get('where') ?? '', params.get('sort') ?? '']
  const page = Number(params.get('page') ?? '0')
  const path = toProjectStatePath(project, '/resources', {
    [isPredicate(where) ? 'where' : 'text']: where,
    sort,
    limit: String(RESOURCES_A_PAGE),
    offset: String(page * RESOURCES_A_PAGE),
  })
  const { value: latest, error } = useResource<ResourcePage>(path)
  const { value, holdProps } = useHeld(latest, `${path} ${latest === undefined}`)
  // Resources of the last page may have been deleted.
  const last = value === undefined ? page : Math.max(0, Math.ceil(value.total / RESOURCES_A_PAGE) - 1)
  useLayoutEffect(() => {
    if (page > last) go(toHere({ page: String(last) }), 'replace')
  }, [page, last])
  const excerpt = error?.message.split('\n').slice(1).join('\n') ?? ''
  return (
    <Card title="Resources">
      <ResourceSearch key={`${where} ${sort}`} error={error?.message} />
      {excerpt !== '' && <pre class="code excerpt">{excerpt}</pre>}
      <DeletedResources project={project} search={isPredicate(where) ? '' : where} />
      {error === undefined && value?.total === 0 && (
        <Empty title={where === '' ? 'This project has no resources' : 'No matching resources'} />
      )}
      {error === undefined && value !== undefined && value.total > 0 && (
        <div {...holdProps}>
          <DataTable
            label="Resources"
            rows={value.results}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Key or id',
                track: 'fit-content(min(320px, 50vw))',
                cell: ({ id, key }) => (
                  <Link href={toHere({ ...toProjectParams(project), resource: id })} title={toShortText(key ?? id)}>
                    {toShortKey(key ?? id)}
                  </Link>
                ),
              },
              { title: 'Version', isNumber: true, cell: ({ version }) => version },
              {
                title: 'Content',
                track: 'minmax(160px, 1fr)',
                cell: ({ someProperty, objectTypeProperty: { arrayOfStringExample = [] } }) => (
                  <span class="clip">
                    {someProperty !== undefined && <b>{toShortText(someProperty)} </b>}
                    {toShortText(
                      arrayOfStringExample
                        .slice(0, SHOWN_STRINGS)
                        .map((one) => toShortText(one))
                        .join(', '),
                    )}
                  </span>
                ),
              },
              {
                title: 'Last modified',
                cell: ({ lastModifiedAt }) => <Time at={lastModifiedAt} isLong />,
              },
            ]}
          />
        </div>
      )}
      {error === undefined && value !== undefined && value.total > 0 && (
        <nav class="line quiet" aria-label="Pages">
          <span>
            {value.offset + 1}–{value.offset + value.results.length} of {toCountText(value.total, 'resource')}
          </span>
          {page > 0 && (
            <Link class="button small" href={toHere({ page: page === 1 ? undefined : String(page - 1) })}>
              Previous
            </Link>
          )}
          {page < last && (
            <Link class="button small" href={toHere({ page: String(page + 1) })}>
              Next
            </Link>
          )}
        </nav>
      )}
    </Card>
  )
}

/** The deleted resources of a project, whose versions can be brought back. */
function DeletedResources({ project, search }: { readonly project: ListedProject; readonly search: string }) {
  const { value } = useResource<WrittenList>(`/resources?limit=${MOST_WRITTEN}`, ['state', 'request'])
  const deleted = (value?.resources ?? []).filter(
    (one) =>
      one.isDeleted &&
      isSameProject(one, project) &&
      `${one.key} ${one.id}`.toLowerCase().includes(search.toLowerCase()),
  )
  if (deleted.length === 0) return null
  return (
    <details>
      <summary>{toCountText(deleted.length, 'deleted resource')}</summary>
      <ul class="lines">
        {deleted.map((one) => (
          <li key={one.id}>
            <Link href={toHere({ ...toProjectParams(project), resource: one.id })}>
              {toShortKey(one.key ?? one.id)}
            </Link>{' '}
            <span class="quiet">version {one.version}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

interface PickerProps {
  readonly projects: readonly (ListedProject & { readonly isChanged: boolean })[]
  readonly chosen: ListedProject
}

/** Selects a project of the session, or any other by its key. */
const Picker = ({ projects, chosen }: PickerProps) => (
  <nav class="line picker" aria-label="Projects">
    <ul class="chips">
      {projects.map((project) => (
        <li key={toProjectName(project)} class="chip">
          <Link
            href={toView('data', toProjectParams(project))}
            aria-current={isSameProject(project, chosen) ? 'true' : undefined}
          >
            {toProjectName(project)}
            {project.isChanged && <small> changed</small>}
          </Link>
        </li>
      ))}
    </ul>
    <form class="tools" onSubmit={(event: Event) => go(toView('data', readFields(event)))}>
      <input
        name="project"
        aria-label="Another project"
        placeholder="Another project key"
        required
        autocomplete="off"
      />
      <Button type="submit">Open</Button>
    </form>
  </nav>
)

/** Resources, snapshots and the clock of the session. */
export function DataView() {
  const { source } = useLive()
  const { params } = useAddress()
  const { value, error } = useResource<Pick<PickerProps, 'projects'>>('/projects', ['state', 'request'])
  const [projectKey, baseUrl] = [params.get('project'), params.get('base') ?? '']
  const first = value?.projects[0] ?? { projectKey: 'acme', baseUrl: '' }
  const chosen: ListedProject = projectKey === null ? first : { projectKey, baseUrl }
  // Requests to other projects do not change the shown one.
  useLayoutEffect(() => {
    if (value !== undefined && projectKey === null) go(toHere(toProjectParams(first)), 'replace')
  }, [value === undefined, projectKey])
  const [resource, compared] = [params.get('resource'), params.get('compare')]
  const known = value?.projects ?? []
  const isKnown = known.some((one) => isSameProject(one, chosen))
  return (
    <>
      <ViewHead title="Data">
        <a class="button" href={source.toUrl('/state')} download="state.json">
          Download state
        </a>
        <Link class="button primary" href={toHere({ resource: createId(), compare: undefined })}>
          New resource
        </Link>
      </ViewHead>
      <ErrorNotice error={error} />
      {(value !== undefined || projectKey !== null) && (
        <>
          <Picker projects={isKnown ? known : [...known, { ...chosen, isChanged: false }]} chosen={chosen} />
          <div class="line columns">
            <div class="stack wide">
              {compared !== null && <SnapshotComparison name={compared} />}
              {resource === null ? (
                <ProjectResources project={chosen} />
              ) : (
                <ResourceCard key={`${toProjectName(chosen)} ${resource}`} project={chosen} id={resource} />
              )}
            </div>
            <div class="stack">
              {resource !== null && <ResourceVersions project={chosen} id={resource} />}
              <SnapshotsCard />
              <ClockCard />
            </div>
          </div>
        </>
      )}
    </>
  )
}
