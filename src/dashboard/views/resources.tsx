import { Problem } from '../../errors.ts'
import { findPage } from '../../operations/reads.ts'
import type { FoundPage } from '../../operations/reads.ts'
import { Project } from '../../state/project.ts'
import type { StoredResource } from '../../state/resource.ts'
import type { ProjectName } from '../../state/project-data.ts'
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

interface FoundResources extends FoundPage {
  /** What is wrong with the predicate, with a caret under the position. */
  readonly fault?: string
}

/** Finds the resources of the page as a query does, so that other requests have their turn meanwhile. */
async function find(context: ViewContext, project: Project): Promise<FoundResources> {
  const { param, parts } = context
  const { elapsed } = parts
  const [where, sort] = [param('where'), param('sort')]
  const query = { ...(where.trim() === '' ? {} : { where: [where] }), ...(sort === '' ? {} : { sort: [sort] }) }
  const input = { query, families: { var: new Map<string, string[]>() } }
  const findFrom = (offset: number) => findPage(input, { project, elapsed }, { limit: PAGE, offset, withTotal: true })
  try {
    const found = await findFrom(PAGE * pageOf(context, Infinity, PAGE))
    if (found.page.length > 0 || found.total === 0) return found
    return await findFrom(PAGE * pageOf(context, found.total, PAGE))
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
    return { total: 0, page: [], fault: fault.message.replace(/^Malformed parameter: /, '') }
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
export const Resources = async ({ context, project: name }: ResourcesProps) => {
  const project = new Project(context.parts.store.access(context.session.name, name))
  const { page: shown, total, fault } = await find(context, project)
  const kept = { ...toProjectParameters(name), where: context.param('where'), sort: context.param('sort') }
  return (
    <section class="stack-wide" aria-label="Resources">
      <Search context={context} project={name} fault={fault} />
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
                <Line context={context} project={name} resource={resource} />
              ))}
            </tbody>
          </table>
        )}
        {shown.length === 0 && fault === undefined && (
          <div class="empty">
            <Icon name="data" />
            <h2>{project.size === 0 ? 'This project has no resources' : 'No matching resources'}</h2>
            <p>
              {project.size === 0
                ? 'Reset the session to restore the fixtures, or create a resource in the Contract view.'
                : `The project has ${project.size} resources, but none matches the predicate.`}
            </p>
          </div>
        )}
        {fault === undefined && <Pages context={context} view="data" kept={kept} total={total} size={PAGE} />}
      </div>
    </section>
  )
}
