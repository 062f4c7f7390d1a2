import type { RedactedExchange } from './journal/record.ts'
import { parseProjectId } from '../service/state/project-data.ts'
import type { SessionTest } from './session-test.ts'
import type { ProjectName } from '../service/state/project-data.ts'

/** A request without a response; its entry has the same correlation id. */
export interface PendingRequest {
  readonly correlationId: string
  /** Epoch milliseconds by the mock's clock. */
  readonly time: number
  readonly method: string
  /** Path and query as sent, redacted. */
  readonly url: string
}

/** A request in a session, from its start to the end of its response. */
export interface OngoingRequest {
  readonly correlationId: string
  readonly time: number
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly session?: { readonly name: string } | undefined
}

/** An event in a session. */
export type MockEvent =
  | { readonly kind: 'request'; readonly session: string; readonly entry: RedactedExchange }
  /** A request without a response yet. */
  | ({ readonly kind: 'pending'; readonly session: string } & PendingRequest)
  /** Without a project, anything in the session may have changed, including its journal. */
  | { readonly kind: 'state'; readonly session: string; readonly project?: ProjectName }
  /** It restarts at its next use, unless it was permanently deleted. */
  | { readonly kind: 'state'; readonly session: string; readonly ended: true; readonly final?: true }
  | { readonly kind: 'scenario'; readonly session: string; readonly active: readonly string[] }
  /** A test has started or ended in the session, or the session has ended. */
  | { readonly kind: 'test'; readonly session: string; readonly test: SessionTest }
  /** A run was deleted. */
  | { readonly kind: 'run'; readonly session: typeof EVERY_SESSION; readonly run: string; readonly removed: true }

/** Subscribes to every session. */
export const EVERY_SESSION = '*'

export interface Subscription {
  /** A name, or {@link EVERY_SESSION}. */
  readonly session: string
  readonly onEvent: (event: MockEvent) => void
  /** Called once, after the last event. */
  readonly end: () => void
}

/** A request is reported as pending after this many milliseconds. */
const PENDING_AFTER = 100

/** Publishes events to subscribers, at almost no cost if there are none. */
export type Events = ReturnType<typeof createEvents>

/** @param redactUrl hides the secrets of a path and query */
export function createEvents(redactUrl: (url: string) => string) {
  const subscriptions = new Set<Subscription>()
  let written = new Map<string, MockEvent>()
  // Not a Set: one that grows and shrinks all the time leaves copies of itself to the garbage collector, with the requests.
  const pending: OngoingRequest[] = []

  const matches = (subscription: Subscription, session: string): boolean =>
    subscription.session === session || subscription.session === EVERY_SESSION

  function publish(event: MockEvent): void {
    for (const one of subscriptions) if (matches(one, event.session)) one.onEvent(event)
  }

  function hasSubscribers(session: string): boolean {
    if (subscriptions.size === 0) return false
    for (const one of subscriptions) if (matches(one, session)) return true
    return false
  }

  function toPendingEvent({ correlationId, time, method, target, session }: OngoingRequest): MockEvent {
    return { kind: 'pending', session: session?.name ?? '', correlationId, time, method, url: redactUrl(target) }
  }

  function publishWrites(): void {
    const events = written
    written = new Map()
    for (const event of events.values()) publish(event)
  }

  return {
    /** Returns a function that unsubscribes; neither `onEvent` nor `end` is called after that. */
    subscribe(subscription: Subscription): () => void {
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    hasSubscribers,
    publish,
    /** Records that a request has no response yet, and reports it as pending if that lasts. */
    beginPending(request: OngoingRequest, session: string): void {
      pending.push(request)
      if (!hasSubscribers(session)) return
      setTimeout(() => {
        if (pending.includes(request)) publish(toPendingEvent(request))
      }, PENDING_AFTER)
    },
    endPending(request: OngoingRequest): void {
      const at = pending.indexOf(request)
      if (at === -1) return
      // Usually the last one, and `splice` takes ten times as long.
      if (at === pending.length - 1) pending.pop()
      else pending.splice(at, 1)
    },
    /** The events of the requests of a session, or of all sessions, that have no response yet. */
    findPending: (wanted: string): readonly MockEvent[] =>
      pending.map(toPendingEvent).filter(({ session }) => wanted === EVERY_SESSION || session === wanted),
    /** Records that a project is about to be written to: one event covers all writes in the same turn of the event loop. */
    noteWrite(session: string, projectId: string): void {
      if (!hasSubscribers(session)) return
      if (written.size === 0) queueMicrotask(publishWrites)
      written.set(JSON.stringify([session, projectId]), { kind: 'state', session, project: parseProjectId(projectId) })
    },
    /** Ends the subscriptions to that session, or all of them. */
    end(session?: string): void {
      for (const one of subscriptions) {
        if (session !== undefined && one.session !== session) continue
        subscriptions.delete(one)
        one.end()
      }
    },
    /** The number of subscriptions. */
    get size(): number {
      return subscriptions.size
    },
  }
}
