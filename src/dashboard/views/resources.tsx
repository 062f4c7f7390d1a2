import { Problem } from '../../errors.ts'
import { createEffort } from '../../query/effort.ts'
import { compileSort, toSorted } from '../../query/sort.ts'
import { compileWhere } from '../../query/where.ts'
import type { StoredResource } from '../../state/resource.ts'
import type { ProjectName } from '../../state/project-name.ts'
import { SearchFields } from '../parts/act.tsx'
import { Fault } from '../parts/fault.tsx'
import { Icon } from '../parts/icon.tsx'
import { Pages, pageOf } from '../parts/pages.tsx'
import { Time } from '../parts/status.tsx'
import { toProjectParameters } from '../projects.ts'
import type { ViewContext } from '../view-context.ts'

/** How many resources a page has. */
const PAGE = 25

interface ResourcesProps {
  readonly context: ViewContext
  readonly project: ProjectName
}

interface FoundResources {
  readonly resources: readonly StoredResource[]
  /** What is wrong with the predicate, with a caret under the position. */
  readonly fault?: string
}

function find(all: readonly StoredResource[], where: string, sort: string): FoundResources {
  try {
    const effort = createEffort()
    const holds = where.trim() === '' ? () => true : compileWhere([where], new Map(), effort).holds
    const order = compileSort(sort === '' ? [] : [sort])
    const found = all.filter(holds)
    return { resources: order === undefined ? found : toSorted(found, order, effort) }
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
    return { resources: [], fault: fault.message.replace(/^Malformed parameter: /, '') }
  }
}

const SORTS = [
  ['', 'Creation order'],
  ['lastModifiedAt desc', 'Last modified'],
  ['key', 'By key'],
  ['version desc', 'Most versions'],
] as const

const Search = ({ context, project, fault }: ResourcesProps & { readonly fault: string | undefined }) => (
  <form method="get" action={context.place.home} class="filter" role="search" aria-label="Search resources">
    <SearchFields context={context} view="data" fields={toProjectParameters(project)} />
    <label class="grow">
      <span class="sr">Where</span>
      <input
        id="where"
        name="where"
        class="mono"
        value={context.param('where')}
        placeholder={'where  version > 2 and arrayOfStringExample contains any ("oak")'}
        aria-invalid={fault === undefined ? undefined : 'true'}
        aria-describedby={fault === undefined ? undefined : 'where-fault'}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
    <label>
      <span class="sr">Order</span>
      <select name="sort">
        {SORTS.map(([value, label]) => (
          <option value={value} selected={value === context.param('sort')}>
            {label}
          </option>
        ))}
      </select>
    </label>
    <button class="button">Search</button>
  </form>
)

const Line = ({ context, project, resource }: ResourcesProps & { readonly resource: StoredResource }) => {
  const { id, key, version, objectTypeProperty, someProperty, lastModifiedAt } = resource
  return (
    <tr id={`row-${id}`}>
      <th scope="row">
        <a href={context.place.to('data', { ...toProjectParameters(project), resource: id })}>{key ?? id}</a>
      </th>
      <td class="number">{version}</td>
      <td class="clip">
        {someProperty !== undefined && <b>{someProperty} </b>}
        {(objectTypeProperty.arrayOfStringExample ?? []).join(', ')}
      </td>
      <td class="number quiet wide-only">
        <Time at={Date.parse(lastModifiedAt)} isLong />
      </td>
    </tr>
  )
}

/** The resources of a project, searched by the where language. */
export const Resources = ({ context, project }: ResourcesProps) => {
  const { resources: all } = context.parts.store.access(context.session.name, project).read()
  const { resources, fault } = find([...all.all()], context.param('where'), context.param('sort'))
  const page = pageOf(context, resources.length, PAGE)
  const kept = { ...toProjectParameters(project), where: context.param('where'), sort: context.param('sort') }
  const shown = resources.slice(page * PAGE, (page + 1) * PAGE)
  return (
    <section class="stack-wide" aria-label="Resources">
      <Search context={context} project={project} fault={fault} />
      {fault !== undefined && (
        <Fault
          id="where-fault"
          sentence={fault.split('\n', 1)[0] ?? ''}
          excerpt={fault.split('\n').slice(1).join('\n')}
        />
      )}
      <div class="card flush" id="resources" data-live>
        {shown.length > 0 && (
          <table>
            <thead>
              <tr>
                <th scope="col">Key or id</th>
                <th scope="col" class="number">
                  Version
                </th>
                <th scope="col">Strings</th>
                <th scope="col" class="number wide-only">
                  Last modified
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((resource) => (
                <Line context={context} project={project} resource={resource} />
              ))}
            </tbody>
          </table>
        )}
        {shown.length === 0 && fault === undefined && (
          <div class="empty">
            <Icon name="data" />
            <h2>{all.count === 0 ? 'This project has no resources' : 'No matching resources'}</h2>
            <p>
              {all.count === 0
                ? 'Reset the session to restore the fixtures, or create a resource in the Contract view.'
                : `The project has ${all.count} resources, but none matches the predicate.`}
            </p>
          </div>
        )}
        {fault === undefined && (
          <Pages context={context} view="data" kept={kept} total={resources.length} size={PAGE} />
        )}
      </div>
    </section>
  )
}
