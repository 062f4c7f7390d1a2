import { useRef, useState } from 'hono/jsx/dom'
import { go, toHere, toView } from '../../address.ts'
import { useAction, useEvery, useLive, useResource } from '../../live.ts'
import { Button, Link, useKeys } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Form, TextField, valueOf } from '../../parts/form.tsx'
import { Card, ErrorNotice } from '../../parts/layout.tsx'
import { Time, toCountText, toShortKey } from '../../parts/status.tsx'
import { parseChanges, toProjectParams, toProjectName } from './projects.ts'

interface ListedSnapshot {
  readonly name: string
  readonly takenAt: string
  readonly projects: number
}

/** The snapshot of the data before a restore. */
const UNDO = 'before-restore'

/** A name that no snapshot has yet. */
function toFreeName(names: ReadonlySet<string>): string {
  let number = 1
  while (names.has(`snapshot-${number}`)) number += 1
  return `snapshot-${number}`
}

const toSnapshotPath = (name: string): string => `/snapshots/${encodeURIComponent(name)}`

/** The snapshots of the session, and a form to take one. */
export function SnapshotsCard() {
  const { source } = useLive()
  const { value, error } = useResource<{ readonly snapshots: readonly ListedSnapshot[] }>('/snapshots')
  const [name, setName] = useState('')
  const { run, isBusy, error: failure } = useAction()
  const names = new Set(value?.snapshots.map((one) => one.name))
  const used = name.trim() === '' ? toFreeName(names) : name.trim()
  const exists = names.has(used)
  const take = () => source.send('PUT', toSnapshotPath(used))
  const list = useRef<HTMLUListElement>(null)
  useKeys({
    t: () => void run(() => source.send('PUT', toSnapshotPath(toFreeName(names))), 'Snapshot taken.'),
    r: () => list.current?.querySelector<HTMLElement>('li:last-child button')?.click(),
  })
  return (
    <Card title="Snapshots">
      <ErrorNotice error={error} />
      {value?.snapshots.length === 0 && (
        <p class="quiet">A snapshot keeps the data of this session, to restore it later.</p>
      )}
      <ul ref={list} class="lines">
        {value?.snapshots.map((snapshot) => (
          <li key={snapshot.name}>
            <b>{snapshot.name}</b>
            <p class="quiet">
              <Time at={snapshot.takenAt} isLong />,{' '}
              {snapshot.projects === 0 ? 'same as the fixtures' : toCountText(snapshot.projects, 'changed project')}
            </p>
            <div class="tools">
              <Link class="button small" href={toHere({ compare: snapshot.name })}>
                Compare<span class="sr"> {snapshot.name}</span>
              </Link>
              <ConfirmButton
                name={snapshot.name}
                confirm="Restore snapshot"
                done={`${snapshot.name} restored.`}
                act={async () => {
                  if (snapshot.name !== UNDO) await source.send('PUT', toSnapshotPath(UNDO))
                  await source.send('POST', `${toSnapshotPath(snapshot.name)}/restore`)
                }}
              >
                The data of this session are replaced. To undo that, restore the snapshot {UNDO}.
              </ConfirmButton>
              <ConfirmButton
                name={snapshot.name}
                confirm="Delete snapshot"
                done={`${snapshot.name} deleted.`}
                act={() => source.send('DELETE', toSnapshotPath(snapshot.name))}
              >
                The snapshot is deleted. The data of the session stay.
              </ConfirmButton>
            </div>
          </li>
        ))}
      </ul>
      <Form
        error={failure}
        onSubmit={() => exists || void run(take, 'Snapshot taken.').then((isDone) => isDone && setName(''))}
      >
        <div class="line">
          <TextField
            label="New snapshot"
            value={name}
            placeholder={toFreeName(names)}
            onInput={(event: Event) => setName(valueOf(event))}
          />
          {exists ? (
            <ConfirmButton confirm="Replace snapshot" done="Snapshot taken." act={take}>
              The snapshot {used} exists already. Its data are replaced by those of now.
            </ConfirmButton>
          ) : (
            <Button type="submit" isBusy={isBusy}>
              Take
            </Button>
          )}
        </div>
      </Form>
    </Card>
  )
}

/** What changed since a snapshot. */
export function SnapshotComparison({ name }: { readonly name: string }) {
  const { value, error } = useResource(`${toSnapshotPath(name)}/changes`, ['state', 'request'], parseChanges)
  return (
    <Card
      title={`Changes since ${name}`}
      tools={<Button kind="plain" icon="cross" label="Close" onClick={() => go(toHere({ compare: undefined }))} />}
    >
      <ErrorNotice error={error} />
      {error === undefined && value?.length === 0 && <p class="quiet">No differences</p>}
      {error === undefined &&
        value?.map((project) => (
          <section key={toProjectName(project)} aria-label={toProjectName(project)}>
            <h3>{toProjectName(project)}</h3>
            <ul class="lines">
              {project.changes.map(({ kind, id, key, before, after }) => (
                <li key={id}>
                  {kind === 'removed' ? (
                    toShortKey(key ?? id)
                  ) : (
                    <Link href={toView('data', { ...toProjectParams(project), resource: id })}>
                      {toShortKey(key ?? id)}
                    </Link>
                  )}{' '}
                  <span class="quiet">{kind}</span>
                  {kind === 'changed' && <Diff label={`Changes of ${key ?? id}`} before={before} after={after} />}
                </li>
              ))}
            </ul>
            {project.more > 0 && <p class="quiet">{toCountText(project.more, 'more resource')} differ.</p>}
            {project.images.added + project.images.removed > 0 && (
              <p class="quiet">
                Images: {project.images.added} added, {project.images.removed} removed
              </p>
            )}
          </section>
        ))}
    </Card>
  )
}

const STEPS = [
  ['1m', '1 minute'],
  ['1h', '1 hour'],
  ['2d', '2 days'],
] as const

const SECOND = 1000

/** The clock of the session. */
export function ClockCard() {
  const { source } = useLive()
  const { value, reload } = useResource<{ readonly now: string }>('/clock', ['state'])
  useEvery(reload, true, SECOND)
  const { run, error } = useAction()
  const move = (body: object, done: string) => void run(() => source.send('PUT', '/clock', body), done)
  return (
    <Card title="Clock">
      {value !== undefined && (
        <p>
          <Time at={value.now} isLong isShort />{' '}
          <span class="quiet">Token expiry, times of resources and Retry-After follow it.</span>
        </p>
      )}
      <ErrorNotice error={error} />
      <div class="line">
        {STEPS.map(([advance, title]) => (
          <Button key={advance} isSmall onClick={() => move({ advance }, `The clock is ${title} later.`)}>
            + {title}
          </Button>
        ))}
        <Button
          isSmall
          onClick={() => void run(() => source.send('DELETE', '/clock'), 'The clock follows the mock again.')}
        >
          Reset clock
        </Button>
      </div>
    </Card>
  )
}
