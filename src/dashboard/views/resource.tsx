import { toResourceText } from '../../state/resource-record.ts'
import type { Resource } from '../../state/resource.ts'
import type { ProjectName } from '../../state/store.ts'
import { fieldOf } from '../notice.ts'
import { Act } from '../parts/act.tsx'
import { Editor } from '../parts/editor.tsx'
import { Method, Status, Time } from '../parts/status.tsx'
import { toPrettyText } from '../pretty.ts'
import { toProjectParameters, toProjectText, toStatePath } from '../projects.ts'
import type { Show } from '../show.ts'
import { listVersions } from '../versions.ts'

interface ResourceProps {
  readonly show: Show
  readonly project: ProjectName
}

const Versions = ({ show, project, id }: ResourceProps & { readonly id: string }) => {
  const versions = listVersions(show.session.journal.entries(), project, id)
  return (
    <section id="versions" data-live>
      <h3>Versions that requests made</h3>
      {versions.length === 0 ? (
        <p class="quiet">None yet: no request that the journal has wrote to it.</p>
      ) : (
        <ul class="versions">
          {versions.map(({ version, entry }) => (
            <li>
              <b>{version}</b>
              <a href={show.place.to('requests', { request: entry.id })}>
                <Method method={entry.request.method} /> <Status status={entry.response.status} />
              </a>
              <span class="quiet">{entry.operation}</span>
              <Time at={entry.time} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface RecordProps extends ResourceProps {
  readonly resource: Resource
}

const toRecordPath = (project: ProjectName, id: string): string =>
  toStatePath(project, `/resources/${encodeURIComponent(id)}`)

interface HeadProps extends ResourceProps {
  readonly id: string
  readonly resource: Resource | undefined
}

/** What is done with a resource as a whole. */
const Head = ({ show: { place }, project, id, resource }: HeadProps) => {
  const list = place.to('data', toProjectParameters(project))
  const name = resource?.key ?? id
  return (
    <div class="head-line" id="resource-head" data-live>
      {resource === undefined ? (
        <h2 id="resource-name">Not there any more</h2>
      ) : (
        <h2 id="resource-name">
          {name} <span class="tag">version {resource.version}</span>
        </h2>
      )}
      <div class="tools">
        <a class="button" href={list}>
          All resources
        </a>
        {resource !== undefined && (
          <Act
            place={place}
            steps={[`DELETE ${toRecordPath(project, id)}`]}
            canUndo
            done={`${name} is deleted.`}
            to={list}
          >
            <button class="button danger">Delete</button>
          </Act>
        )}
      </div>
    </div>
  )
}

/** The record, as it is or as the mock refused it. */
const Writer = ({ show: { place, notice }, project, resource }: RecordProps) => {
  const isFailed = notice?.kind === 'failed' && notice.fields.has('record')
  return (
    <Act
      place={place}
      steps={[`PUT ${toRecordPath(project, resource.id)} {record}`]}
      canUndo
      done={`${resource.key ?? resource.id} is kept as written, version included.`}
      class="stack"
    >
      <Editor
        id="record"
        label="Record"
        text={fieldOf(notice, 'record', toPrettyText(toResourceText(resource)))}
        problem={isFailed ? notice.problem : undefined}
      />
      <button class="button primary">Keep it</button>
    </Act>
  )
}

/** One resource as its record, to be changed by hand. */
export const ResourceEditor = ({ show, project }: ResourceProps) => {
  const id = show.param('resource')
  const resource = show.parts.store.access(show.session.name, project).read().resources.get(id)
  return (
    <section class="card stack-wide" aria-labelledby="resource-name">
      <Head show={show} project={project} id={id} resource={resource} />
      <div id="resource-record" data-live>
        {resource === undefined ? (
          <p>
            {toProjectText(project)} has no resource {id}.
          </p>
        ) : (
          <Writer show={show} project={project} resource={resource} />
        )}
      </div>
      <Versions show={show} project={project} id={id} />
    </section>
  )
}
