import { stringifyJson } from '../http/json.ts'
import { toServeEvent } from '../journal/wiremock-json.ts'
import type { MockEvent } from '../sessions/events.ts'

/** The most that is kept of recent texts, in bytes: enough for streams that read at about the same speed. */
const MOST_BYTES = 8 * 1024 * 1024

const encoder = new TextEncoder()

/** Server-sent events (HTML Living Standard, section 9.2.5): JSON is a single line. */
function toText(event: MockEvent): string {
  if (event.kind === 'request') {
    // Only requests can be sent again, so only they have an id.
    return `event: request\ndata: ${stringifyJson(toServeEvent(event.entry))}\nid: ${event.entry.id}\n\n`
  }
  const { kind, ...members } = event
  return `event: ${kind}\ndata: ${stringifyJson(members)}\n\n`
}

/** The bytes of an event as streams send it. */
export type EventTexts = (event: MockEvent) => Uint8Array

/** Creates what writes each event once for all streams. */
export function createEventTexts(mostBytes = MOST_BYTES): EventTexts {
  const texts = new Map<object, Uint8Array>()
  let kept = 0

  return function toEventText(event) {
    // A missed request is another event of the same entry.
    const key = event.kind === 'request' ? event.entry : event
    const known = texts.get(key)
    if (known !== undefined) return known
    const text = encoder.encode(toText(event))
    texts.set(key, text)
    kept += text.byteLength
    for (const [oldest, { byteLength }] of texts) {
      if (kept <= mostBytes) break
      texts.delete(oldest)
      kept -= byteLength
    }
    return text
  }
}
