import { MOST_CHANGES, compareStates } from '../compare.ts'
import type { ResourceChange, ProjectChanges } from '../compare.ts'
import { copySessionData } from '../../state/state-data.ts'
import { toProjectParameters, toProjectText } from '../projects.ts'
import type { ViewContext } from '../view-context.ts'

const MARKS = { added: '+', removed: '−', changed: '±' } as const

const ChangeLine = ({
  context,
  changes,
  change,
}: {
  readonly context: ViewContext
  readonly changes: ProjectChanges
  readonly change: ResourceChange
}) => {
  const { kind, resource, lines } = change
  const name = resource.key ?? resource.id
  return (
    <li class={`change ${kind}`} id={`change-${resource.id}`}>
      <p>
        <b class="mark-of">{MARKS[kind]}</b>{' '}
        {kind === 'removed' ? (
          name
        ) : (
          <a href={context.place.to('data', { ...toProjectParameters(changes.project), resource: resource.id })}>
            {name}
          </a>
        )}{' '}
        <span class="quiet">{kind}</span>
      </p>
      {lines === undefined && (
        <p class="quiet">Too many differences to list. Open the resource to see its current state.</p>
      )}
      {lines !== undefined && lines.length > 0 && (
        <pre class="diff">
          {lines.map(({ kind: what, line }) =>
            what === 'removed' ? <del>{`− ${line}\n`}</del> : <ins>{`+ ${line}\n`}</ins>,
          )}
        </pre>
      )}
    </li>
  )
}

/** What has changed since a snapshot. */
export const Comparison = async ({ context, name }: { readonly context: ViewContext; readonly name: string }) => {
  const { parts, session, place } = context
  const snapshot = session.snapshots.get(name)
  const close = (
    <a class="button small" href={place.to('data', { project: context.param('project'), base: context.param('base') })}>
      Close
    </a>
  )
  if (snapshot === undefined) {
    return (
      <section class="card stack-wide" id="comparison" data-live aria-label="Comparison">
        <p>The session has no snapshot {name}.</p>
        <p>{close}</p>
      </section>
    )
  }
  // No session can have this name, so this reads what every project starts with.
  const seed = parts.store.access(' ', { baseUrl: '', projectKey: '' }).read()
  const projects = await compareStates(snapshot.data, copySessionData(parts.store.written(session.name)), seed)
  return (
    <section class="card stack-wide" id="comparison" data-live aria-label="Comparison">
      <div class="head-line">
        <h2>Changes since {name}</h2>
        <div class="tools">{close}</div>
      </div>
      {projects.length === 0 && <p class="quiet">No differences.</p>}
      {projects.map((one) => (
        <>
          <h3>{toProjectText(one.project)}</h3>
          <ul class="changes">
            {one.changes.map((change) => (
              <ChangeLine context={context} changes={one} change={change} />
            ))}
            {one.more > 0 && (
              <li>
                {one.more} more resources changed. A comparison lists the first {MOST_CHANGES}.
              </li>
            )}
            {one.images.removed + one.images.added > 0 && (
              <li>
                Images: {one.images.added} added, {one.images.removed} removed.
              </li>
            )}
          </ul>
        </>
      ))}
    </section>
  )
}
