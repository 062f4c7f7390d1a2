import type { JournalEntry } from '../journal/entry.ts'
import type { ProjectName } from '../state/change.ts'

/** A request without a response; its entry has the same correlation id. */
export interface PendingRequest {
  readonly correlationId: string
  /** Epoch milliseconds by the mock's clock. */
  readonly time: number
  readonly method: string
  /** Path and query as sent, redacted. */
  readonly url: string
}

/** Something that happened in a session. */
export type MockEvent =
  | { readonly kind: 'request'; readonly session: string; readonly entry: JournalEntry }
  /** A request has no response yet. */
  | ({ readonly kind: 'pending'; readonly session: string } & PendingRequest)
  /** Without a project, anything that the session has may have changed, its journal included. */
  | { readonly kind: 'state'; readonly session: string; readonly project?: ProjectName }
  /** It begins again at its next mention, unless it ended for good. */
  | { readonly kind: 'state'; readonly session: string; readonly ended: true; readonly final?: true }
  | { readonly kind: 'scenario'; readonly session: string; readonly active: readonly string[] }

/** Who hears what happens in every session. */
export const EVERY_SESSION = '*'

interface Subscription {
  /** A name, or {@link EVERY_SESSION}. */
  readonly session: string
  readonly hear: (event: MockEvent) => void
  /** Called once, when there is nothing more to hear. */
  readonly end: () => void
}

/** Tells what happens to those who listen, and costs next to nothing while nobody does. */
export interface Events {
  /** Returns what ends it; neither `hear` nor `end` is called after that. */
  subscribe(subscription: Subscription): () => void
  isHeard(session: string): boolean
  publish(event: MockEvent): void
  /** Notes that a project is about to be written to: one event tells all the writes of one turn. */
  readonly noteWrite: (session: string, project: ProjectName) => void
  /** Ends those who listen to that session alone, or all. */
  end(session?: string): void
  /** How many listen. */
  readonly size: number
}

export function createEvents(): Events {
  const subscriptions = new Set<Subscription>()
  let written = new Map<string, MockEvent>()

  const hears = (subscription: Subscription, session: string): boolean =>
    subscription.session === session || subscription.session === EVERY_SESSION

  function publish(event: MockEvent): void {
    for (const one of subscriptions) if (hears(one, event.session)) one.hear(event)
  }

  function isHeard(session: string): boolean {
    if (subscriptions.size === 0) return false
    for (const one of subscriptions) if (hears(one, session)) return true
    return false
  }

  function publishWrites(): void {
    const events = written
    written = new Map()
    for (const event of events.values()) publish(event)
  }

  return {
    subscribe(subscription) {
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    isHeard,
    publish,
    noteWrite(session, project) {
      if (!isHeard(session)) return
      if (written.size === 0) queueMicrotask(publishWrites)
      written.set(JSON.stringify([session, project]), { kind: 'state', session, project })
    },
    end(session) {
      for (const one of subscriptions) {
        if (session !== undefined && one.session !== session) continue
        subscriptions.delete(one)
        one.end()
      }
    },
    get size() {
      return subscriptions.size
    },
  }
}
