import { listVersions, timeOf } from '../../admin/resources.ts'
import type { WrittenVersion } from '../../admin/resources.ts'
import type { ProjectName } from '../../state/project-data.ts'
import { toResourceText } from '../../state/records.ts'
import { toRecordText } from '../edit-conflict.ts'
import { findLineChanges } from '../line-diff.ts'
import type { LineChange } from '../line-diff.ts'
import { Act, SmallLabel } from '../parts/act.tsx'
import { Method, Status, Time } from '../parts/status.tsx'
import { toPrettyText } from '../pretty.ts'
import { toProjectParameters, toStatePath } from '../projects.ts'
import type { ViewContext } from '../view-context.ts'

interface VersionsProps {
  readonly context: ViewContext
  readonly project: ProjectName
  readonly id: string
}

/** How many characters are compared, and how many lines may differ: the time to find them grows with the square of it. */
const MOST_CHARACTERS = 400_000
const MOST_LINES = 600

/** The lines that differ; undefined if there are too many to tell. */
function findChanges(before: WrittenVersion, after: WrittenVersion): readonly LineChange[] | undefined {
  const [from, to] = [toResourceText(before.resource), toResourceText(after.resource)]
  if (from.length + to.length > MOST_CHARACTERS) return undefined
  return findLineChanges(toPrettyText(from).split('\n'), toPrettyText(to).split('\n'), MOST_LINES)
}

const Writer = ({ context, version: { kind, writer, entry } }: { context: ViewContext; version: WrittenVersion }) => (
  <>
    {kind === 'fixture' && <span class="quiet">Before its first write</span>}
    {writer?.kind === 'admin' && <span class="quiet">Admin API</span>}
    {writer?.kind === 'scenario' && (
      <span>
        Another writer <span class="tag">{writer.scenario}</span>
      </span>
    )}
    {writer?.kind === 'request' && entry === undefined && (
      <span class="quiet">A request that the journal no longer has</span>
    )}
    {entry !== undefined && (
      <>
        {writer?.kind === 'scenario' && <span class="quiet">before</span>}
        <a href={context.place.to('requests', { request: entry.id })}>
          <Method method={entry.request.method} /> <Status status={entry.response.status} />
        </a>
        <span class="quiet">{entry.operation}</span>
      </>
    )}
  </>
)

interface ComparedProps extends VersionsProps {
  readonly version: WrittenVersion
  readonly before: WrittenVersion
  /** The newest version. */
  readonly newest: WrittenVersion
}

/** What a version changed, and a button that takes it back. */
const Compared = ({ context, project, id, version, before, newest }: ComparedProps) => {
  const changes = findChanges(before, version)
  const { place, parts, session } = context
  const back = {
    ...before.resource,
    version: newest.resource.version + 1,
    lastModifiedAt: new Date(session.clock.now()).toISOString(),
  }
  const saved = parts.store.access(session.name, project).read().find(id)
  return (
    <div class="whole stack">
      <pre class="diff" tabindex={0} role="region" aria-label={`What version ${version.resource.version} changed`}>
        {changes === undefined && 'Too many differences to list.'}
        {changes?.map(({ kind, line }) =>
          kind === 'removed' ? <del>{`− ${line}\n`}</del> : <ins>{`+ ${line}\n`}</ins>,
        )}
      </pre>
      <Act
        place={place}
        calls={[`PUT ${toStatePath(project, `/resources/${encodeURIComponent(id)}`)} {record}`]}
        canUndo
        done={`Version ${before.resource.version} restored as version ${back.version}.`}
        to={place.to('data', { ...toProjectParameters(project), resource: id })}
      >
        <input type="hidden" name="record" value={toPrettyText(toResourceText(back))} />
        <input type="hidden" name="base" value={toRecordText(saved)} />
        <button class="button small">Take back to version {before.resource.version}</button>
      </Act>
    </div>
  )
}

/** The versions that a resource had, and who wrote them. */
export const Versions = async ({ context, project, id }: VersionsProps) => {
  const versions = await listVersions(context.parts, context.session, project, id)
  const address = { ...toProjectParameters(project), resource: id }
  const compared = versions.findIndex(
    ({ kind, resource }) => kind === 'put' && String(resource.version) === context.param('version'),
  )
  const [newest] = versions
  return (
    <section id="versions" data-live>
      <h3>Versions</h3>
      {newest === undefined && <p class="quiet">This session never had it.</p>}
      <ul class="versions">
        {versions.map((version, at) => {
          const { kind, resource, entry } = version
          const before = versions[at + 1]
          const canCompare = kind === 'put' && before !== undefined
          return (
            <li>
              <b>{kind === 'removed' ? 'deleted' : resource.version}</b>
              <Writer context={context} version={version} />
              <Time at={entry?.time ?? timeOf(version)} />
              {canCompare && at !== compared && (
                <a href={context.place.to('data', { ...address, version: String(resource.version) })}>
                  <SmallLabel text="Compare" name={`version ${resource.version}`} />
                </a>
              )}
              {canCompare && at === compared && newest !== undefined && (
                <Compared
                  context={context}
                  project={project}
                  id={id}
                  version={version}
                  before={before}
                  newest={newest}
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
