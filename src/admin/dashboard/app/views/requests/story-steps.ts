import type { HistoryEvent } from '../../../../api/history.ts'

/** What happened to a resource, as a step in the story of a conflict. */
export interface StoryStep {
  readonly key: string
  /** Undefined for a deletion whose request the journal has dropped. */
  readonly time: string | undefined
  /** `gap`: steps that are left out. */
  readonly kind: 'write' | 'read' | 'conflict' | 'gap'
  /** `start`: the version with which the history starts. */
  readonly by: 'app' | 'other' | 'start'
  /** Who it was, if not the app. */
  readonly name: string
  /** The version that was written, read, or sent too late. */
  readonly version: string
  /** What happened, in a few words. */
  readonly label: string
  /** The id of the request. */
  readonly request: string | undefined
  /** Whether it is the request that the story is about. */
  readonly isSubject: boolean
}

/** How many steps before and after the request are shown. */
const BEFORE = 7
const AFTER = 2

type WriteEvent = Extract<HistoryEvent, { readonly lastModifiedAt: unknown }>

const isWritten = (event: HistoryEvent): event is WriteEvent => 'lastModifiedAt' in event

function toWriter({ kind, writer, restored }: WriteEvent): Pick<StoryStep, 'by' | 'name'> {
  if (restored !== undefined) return { by: 'start', name: `snapshot ${restored.snapshot}` }
  if (writer?.kind === 'scenario') return { by: 'other', name: writer.scenario }
  if (writer?.kind === 'admin') return { by: 'other', name: 'admin API' }
  return kind === 'fixture' ? { by: 'start', name: 'fixtures' } : { by: 'app', name: '' }
}

function toStep(event: HistoryEvent, subject: string, at: number): StoryStep {
  const { time } = event
  if (isWritten(event)) {
    const [version, isRemoval] = [String(event.version), event.kind === 'removed']
    const start = event.kind !== 'fixture' ? 'wrote' : event.restored === undefined ? 'started with' : 'restored'
    return {
      ...toWriter(event),
      key: `${at}`,
      time,
      kind: 'write',
      version,
      label: isRemoval ? 'deleted it' : `${start} version ${version}`,
      request: event.writer !== undefined && 'request' in event.writer ? event.writer.request : undefined,
      isSubject: false,
    }
  }
  const { id, method, status } = event.request
  const common = { key: `${at}`, time, by: 'app', name: '', request: id, isSubject: id === subject } as const
  return 'sent' in event
    ? { ...common, kind: 'conflict', version: String(event.sent), label: `sent version ${event.sent} → ${status}` }
    : { ...common, kind: 'read', version: String(event.version), label: `${method} got version ${event.version}` }
}

/** Whether the app got a version in a step, because it read or wrote it. */
export const isGot = ({ kind, by, version }: StoryStep, wanted: string): boolean =>
  kind !== 'conflict' && by === 'app' && version === wanted

/**
 * The steps that led to a conflict and the next ones, oldest first; those in the middle are left out if there are many.
 * Empty if the history does not have the request.
 *
 * @param history newest first
 * @param subject the id of the request with the conflict
 */
export function toStory(history: readonly HistoryEvent[], subject: string): readonly StoryStep[] {
  const steps = history.toReversed().map((event, at) => toStep(event, subject, at))
  const at = steps.findIndex(({ isSubject }) => isSubject)
  const sent = steps[at]?.version
  if (sent === undefined) return []
  const before = steps.slice(0, at)
  // The story starts when the app last got the version that it sent.
  const got = before.findLastIndex((step) => isGot(step, sent))
  const start = got === -1 ? before.findLastIndex(({ kind, version }) => kind === 'write' && version === sent) : got
  const led = before.slice(Math.max(0, start))
  const [first] = led
  const left = led.length - BEFORE
  const shown =
    left <= 0 || first === undefined
      ? led
      : [first, { ...first, key: 'gap', kind: 'gap' as const, label: `${left} more` }, ...led.slice(left + 1)]
  return [...shown, ...steps.slice(at, at + 1 + AFTER)]
}

/** Where the admin API has the history of the resource that a request is about; undefined if it is about none. */
export function findHistoryPath(url: string, body: string): string | undefined {
  const [path = ''] = url.replace(/^\/@[^/]+/, '').split('?')
  const [, region, cloudProvider, projectKey, id] =
    /^(?:\/([^/]+)\/([^/]+))?\/([^/]+)\/resource(?:\/(?:key=)?([^/]+))?\/?$/.exec(path) ?? []
  if (projectKey === undefined) return undefined
  const idOrKey = id ?? encodeURIComponent(/"key"\s*:\s*"([^"\\]+)"/.exec(body)?.[1] ?? '')
  if (idOrKey === '') return undefined
  const query = new URLSearchParams({ projectKey, limit: '1000' })
  if (region !== undefined) query.set('region', region)
  if (cloudProvider !== undefined) query.set('cloudProvider', cloudProvider)
  return `/resources/${idOrKey}/history?${query}`
}
