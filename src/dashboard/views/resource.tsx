import type { StoredResource } from '../../state/resource.ts'
import type { ProjectName } from '../../state/project-data.ts'
import { toRecordText } from '../edit-conflict.ts'
import { fieldOf } from '../notice.ts'
import { Act } from '../parts/act.tsx'
import { Both } from '../parts/both.tsx'
import { Editor } from '../parts/editor.tsx'
import { toHere } from '../place.ts'
import { toProjectParameters, toProjectText, toStatePath } from '../projects.ts'
import type { ViewContext } from '../view-context.ts'
import { Versions } from './versions.tsx'

interface ResourceProps {
  readonly context: ViewContext
  readonly project: ProjectName
}

const toRecordPath = (project: ProjectName, id: string, query: Readonly<Record<string, string>> = {}): string =>
  toStatePath(project, `/resources/${encodeURIComponent(id)}`, query)

interface HeadProps extends ResourceProps {
  readonly id: string
  readonly resource: StoredResource | undefined
}

const Head = ({ context: { place }, project, id, resource }: HeadProps) => {
  const list = place.to('data', toProjectParameters(project))
  const name = resource?.key ?? id
  return (
    <div class="head-line" id="resource-head" data-live>
      {resource === undefined ? (
        <h2 id="resource-name">Deleted</h2>
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
            calls={[`DELETE ${toRecordPath(project, id)}`]}
            canUndo
            done={`${name} deleted.`}
            to={list}
          >
            <button class="button danger">Delete</button>
          </Act>
        )}
      </div>
    </div>
  )
}

interface WriterProps extends ResourceProps {
  readonly id: string
  /** Undefined if it was deleted while it was edited. */
  readonly resource: StoredResource | undefined
}

/** The form with the record: the saved one, or the one that was refused. */
const Writer = ({ context: { place, notice }, project, id, resource }: WriterProps) => {
  const saved = toRecordText(resource)
  const failed = notice?.kind === 'failed' && notice.fields.has('record') ? notice : undefined
  const isConflict = failed?.problem.status === 409
  const text = fieldOf(notice, 'record', saved)
  // To overwrite is to write after the other one: the version goes on from theirs.
  const overwritten = isConflict ? resource : undefined
  return (
    <Act
      place={place}
      calls={[`PUT ${toRecordPath(project, id, overwritten && { version: 'next' })} {record}`]}
      canUndo
      done={
        overwritten === undefined
          ? `${resource?.key ?? id} saved exactly as written, including its version.`
          : `${overwritten.key ?? id} overwritten with yours, as version ${overwritten.version + 1}.`
      }
      class="stack"
    >
      <input type="hidden" name="base" value={isConflict ? saved : fieldOf(notice, 'base', saved)} />
      <Editor id="record" label="Record" text={text} problem={failed?.problem} />
      {overwritten !== undefined && <Both saved={saved} own={text} />}
      <div class="row-of">
        <button class="button primary">{overwritten !== undefined ? 'Overwrite with mine' : 'Save'}</button>
        {isConflict && (
          <a class="button" href={toHere(place)}>
            Discard mine
          </a>
        )}
      </div>
    </Act>
  )
}

/** A resource as JSON, to edit or delete. */
export const ResourceEditor = ({ context, project }: ResourceProps) => {
  const id = context.param('resource')
  const resource = context.parts.store.access(context.session.name, project).read().find(id)
  const isRefused = context.notice?.kind === 'failed' && context.notice.fields.has('record')
  return (
    <section class="card stack-wide" aria-labelledby="resource-name">
      <Head context={context} project={project} id={id} resource={resource} />
      <div id="resource-record" data-live>
        {resource === undefined && !isRefused ? (
          <p>
            {toProjectText(project)} has no resource {id}.
          </p>
        ) : (
          <Writer context={context} project={project} id={id} resource={resource} />
        )}
      </div>
      <Versions context={context} project={project} id={id} />
    </section>
  )
}
