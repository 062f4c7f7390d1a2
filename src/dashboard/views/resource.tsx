import { toResourceText } from '../../state/resource-record.ts'
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

/** One resource as its record, to be changed by hand. */
export const ResourceEditor = ({ show, project }: ResourceProps) => {
  const { place, notice } = show
  const id = show.param('resource')
  const resource = show.parts.store.access(show.session.name, project).read().resources.get(id)
  const list = place.to('data', toProjectParameters(project))
  if (resource === undefined) {
    return (
      <section class="card stack-wide" aria-labelledby="resource-name">
        <div class="head-line" id="resource-head" data-live>
          <h2 id="resource-name">Not there any more</h2>
          <div class="tools">
            <a class="button" href={list}>
              All resources
            </a>
          </div>
        </div>
        <p>
          {toProjectText(project)} has no resource {id}.
        </p>
        <Versions show={show} project={project} id={id} />
      </section>
    )
  }
  const text = toResourceText(resource)
  const path = toStatePath(project, `/resources/${encodeURIComponent(id)}`)
  const isFailed = notice?.kind === 'failed' && notice.fields.has('record')
  return (
    <section class="card stack-wide" aria-labelledby="resource-name">
      <div class="head-line" id="resource-head" data-live>
        <h2 id="resource-name">
          {resource.key ?? id} <span class="tag">version {resource.version}</span>
        </h2>
        <div class="tools">
          <a class="button" href={list}>
            All resources
          </a>
          <Act place={place} steps={[`DELETE ${path}`]} canUndo done={`${resource.key ?? id} is deleted.`} to={list}>
            <button class="button danger">Delete</button>
          </Act>
        </div>
      </div>
      <Act
        place={place}
        steps={[`PUT ${path} {record}`]}
        canUndo
        done={`${resource.key ?? id} is kept as written, version included.`}
        class="stack"
      >
        <Editor
          id="record"
          label="Record"
          text={fieldOf(notice, 'record', toPrettyText(text))}
          problem={isFailed ? notice.problem : undefined}
        />
        <button class="button primary">Keep it</button>
      </Act>
      <Versions show={show} project={project} id={id} />
    </section>
  )
}
