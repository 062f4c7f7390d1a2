import { useState } from 'hono/jsx/dom'
import type { ListedImage } from '../../../../api/resources.ts'
import { ApiError } from '../../api.ts'
import { go, toHere, toView } from '../../address.ts'
import { useAction, useLive, useResource } from '../../live.ts'
import { Button, Link } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Editor } from '../../parts/editor.tsx'
import { toPrettyText } from '../../parts/json-tree.ts'
import { Card, ErrorNotice } from '../../parts/layout.tsx'
import { Time, toShortKey } from '../../parts/status.tsx'
import {
  findVersionIn,
  isSameProject,
  parseVersions,
  toChangeText,
  toRecordPath,
  toVersionsPath,
  toWriteParams,
} from './projects.ts'
import type { ListedProject, VersionMeta } from './projects.ts'

const NEW_RECORD = '{\n  "key": "new-resource",\n  "version": 1,\n  "objectTypeProperty": {}\n}'

const WriterOfVersion = ({ version: { kind, writer, restored } }: { readonly version: VersionMeta }) => {
  if (restored !== undefined) return <span>Snapshot {restored.snapshot}, restored</span>
  if (writer === undefined) return <span class="quiet">Same as the fixtures</span>
  const name =
    writer.kind === 'scenario' ? (
      <>
        Another writer <Link href={toView('scenarios', { scenario: writer.scenario })}>{writer.scenario}</Link>
      </>
    ) : (
      <>{writer.kind === 'admin' ? 'Dashboard or admin API' : 'Your app'}</>
    )
  return (
    <span>
      {name}
      {kind === 'removed' && ', deleted'}
      {'request' in writer && writer.request !== undefined && (
        <>
          {' '}
          <Link href={toView('', { request: writer.request })}>Request</Link>
        </>
      )}
    </span>
  )
}

interface VersionProps {
  readonly versions: readonly VersionMeta[]
  readonly at: number
  readonly onRestore?: (text: string, version: number) => void
}

/** A version on the time line: who wrote it, and what it changed. */
function VersionItem({ versions, at, onRestore }: VersionProps) {
  const [isOpen, setOpen] = useState(false)
  const version = versions[at]
  const before = versions[at + 1]
  const canGoBack = at > 0 && version?.text !== '' && version?.text !== versions[0]?.text
  if (version === undefined) return null
  const isComparable = before !== undefined && before.text !== '' && version.text !== ''
  return (
    <li>
      <b>{version.version}</b> <WriterOfVersion version={version} />
      <p class="quiet">
        {version.time !== undefined && <Time at={version.time} isLong />}
        {isComparable && ` · ${toChangeText(before.text, version.text)}`}
      </p>
      <div class="tools">
        {before !== undefined && version.text !== '' && (
          <Button
            isSmall
            label={`Compare version ${version.version}`}
            isPressed={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            Compare
          </Button>
        )}
        {canGoBack && onRestore !== undefined && (
          <Button isSmall onClick={() => onRestore(version.text, version.version)}>
            Restore version {version.version}
          </Button>
        )}
      </div>
      {isOpen && (
        <Diff label={`Changes of version ${version.version}`} before={before?.text ?? ''} after={version.text} />
      )}
    </li>
  )
}

interface VersionListProps {
  /** Where the admin API has the versions. */
  readonly path: string
  /** Stores the content of a version after the current one. Undefined if nothing can be restored. */
  readonly restore?: (text: string, current: string) => Promise<unknown>
}

/** The versions of a resource, newest first. */
export function VersionList({ path, restore }: VersionListProps) {
  const { value: versions } = useResource(path, ['state', 'request'], parseVersions)
  const { run, error } = useAction()
  if (versions === undefined) return null
  return (
    <section aria-label="Versions">
      <h3>Versions</h3>
      <ErrorNotice error={error} />
      <ol class="lines versions">
        {versions.map((_version, at) => (
          <VersionItem
            versions={versions}
            at={at}
            {...(restore !== undefined && {
              onRestore: (text: string, version: number) =>
                void run(() => restore(text, versions[0]?.text ?? ''), `Restored the content of version ${version}.`),
            })}
          />
        ))}
      </ol>
    </section>
  )
}

/** Pictures of the images that belong to a resource. */
function Images({ project, id }: { readonly project: ListedProject; readonly id: string }) {
  const { source } = useLive()
  const { value } = useResource<{ readonly images: readonly ListedImage[] }>('/images')
  const images = value?.images.filter((one) => one.resourceId === id && isSameProject(one, project)) ?? []
  if (images.length === 0) return null
  return (
    <ul class="line images" aria-label="Images">
      {images.map(({ id: image, filename = image, type, width, height }) => (
        <li key={image}>
          <a href={source.toUrl(`/images/${encodeURIComponent(image)}`)} target="_blank">
            <img src={source.toUrl(`/images/${encodeURIComponent(image)}`)} alt="" loading="lazy" />
            {filename}
          </a>{' '}
          <small class="quiet">
            {type.replace('image/', '')}, {width} × {height}
          </small>
        </li>
      ))}
    </ul>
  )
}

const close = (): void => go(toHere({ resource: undefined }))

/** A resource as JSON, to edit or delete, with its versions. */
export function ResourceCard({ project, id }: { readonly project: ListedProject; readonly id: string }) {
  const { source } = useLive()
  const path = toRecordPath(project, id)
  const { value, error } = useResource(path, ['state', 'request'], toPrettyText)
  const isMissing = error?.status === 404
  const saved = isMissing ? '' : value
  if (saved === undefined) return error === undefined ? <Card title={id} /> : <ErrorNotice error={error} />
  const version = findVersionIn(saved)
  const key = /^ {2}"key": "(.*)",?$/m.exec(saved)?.[1] ?? id
  const load = async () => {
    try {
      return toPrettyText(await source.readText(path))
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 404) return ''
      throw failure
    }
  }
  return (
    <Card
      title={isMissing ? 'Not stored' : toShortKey(key)}
      tools={
        <>
          {version !== undefined && <span class="tag">version {version}</span>}
          {!isMissing && (
            <ConfirmButton
              name={toShortKey(key)}
              confirm="Delete resource"
              done={`${key} deleted.`}
              act={async () => {
                await source.send('DELETE', path)
                close()
              }}
            >
              Its versions stay in the history, so that you can bring it back.
            </ConfirmButton>
          )}
          <Button kind="plain" icon="cross" label="All resources" onClick={close} />
        </>
      }
    >
      {isMissing && (
        <p class="quiet">
          The project has no resource {id}. Save a record to create it, or bring back one of its versions.
        </p>
      )}
      <Editor
        label="Record"
        saved={saved}
        first={NEW_RECORD}
        load={load}
        save={(text, before, isOverwrite) =>
          source.send('PUT', toRecordPath(project, id, toWriteParams(text, before, isOverwrite)), text)
        }
        done={`${key} saved.`}
      />
      <Images project={project} id={id} />
    </Card>
  )
}

/** The versions of a resource, which can be restored. */
export function ResourceVersions({ project, id }: { readonly project: ListedProject; readonly id: string }) {
  const { source } = useLive()
  return (
    <section class="card">
      <VersionList
        path={toVersionsPath(project, id)}
        restore={(text, current) =>
          source.send('PUT', toRecordPath(project, id, toWriteParams(text, current, true)), text)
        }
      />
    </section>
  )
}
