import { NAME_PATTERN } from '../../sessions/sessions.ts'
import type { ProjectName } from '../../state/project-data.ts'
import { fieldOf, findProblem } from '../notice.ts'
import { toRestore } from '../changes.ts'
import { Act, Confirm, SmallLabel } from '../parts/act.tsx'
import { Time } from '../parts/status.tsx'
import { toProjectParameters } from '../projects.ts'
import type { ViewContext } from '../view-context.ts'

interface SnapshotsProps {
  readonly context: ViewContext
  readonly project: ProjectName
}

/** The snapshots of the session: take, compare, restore, delete. */
export const Snapshots = ({ context, project }: SnapshotsProps) => {
  const { place, session, notice } = context
  const snapshots = [...session.snapshots.values()].toReversed()
  const wanted = fieldOf(notice, 'name', '')
  const mustConfirm = findProblem(notice, 'name') !== undefined && session.snapshots.get(wanted) !== undefined
  return (
    <section class="card stack-wide" aria-label="Snapshots">
      <h2>Snapshots</h2>
      <Act place={place} calls={['PUT /snapshots/{name}']} done="Snapshot taken." class="row-of">
        <label class="sr" for="snapshot">
          Name
        </label>
        <input
          id="snapshot"
          name="name"
          class="grow"
          required
          pattern={NAME_PATTERN}
          placeholder="Name, such as before-demo"
          value={wanted}
          autocomplete="off"
        />
        <button class="button">Take</button>
        {mustConfirm && (
          <button class="button danger" name="replace" value={wanted}>
            Replace {wanted}
          </button>
        )}
      </Act>
      <ul class="lines" id="snapshots" data-live>
        {snapshots.length === 0 && <li class="quiet">No snapshots yet. A reset takes one automatically.</li>}
        {snapshots.map(({ name, takenAt }) => (
          <li id={`snapshot-${name}`}>
            <span class="line-name">
              <b>{name}</b>
              <span class="quiet">
                <Time at={Date.parse(takenAt)} isLong />
              </span>
            </span>
            <a
              class="button small"
              href={place.to('data', { ...toProjectParameters(project), compare: name })}
              aria-current={context.param('compare') === name ? 'true' : undefined}
            >
              Compare<span class="sr"> {name}</span>
            </a>
            <Act place={place} calls={[toRestore(name)]} canUndo done={`Data restored from ${name}.`}>
              <button class="button small">
                Restore<span class="sr"> {name}</span>
              </button>
            </Act>
            <Confirm isSmall label={<SmallLabel text="Delete" name={name} />}>
              <Act place={place} calls={[`DELETE /snapshots/${encodeURIComponent(name)}`]} done={`${name} deleted.`}>
                <button class="button small danger">
                  Delete permanently<span class="sr"> – {name}</span>
                </button>
              </Act>
            </Confirm>
          </li>
        ))}
      </ul>
    </section>
  )
}
