import { pause } from '../util/pause.ts'
import { JSON_TYPE } from '../http/json-response.ts'

/** So many characters are sent at a time, or more. */
const CHUNK = 16 * 1024

/** After so many characters others have their turn. */
const PAUSE_AFTER = 256 * 1024

const encoder = new TextEncoder()

/**
 * Answers JSON text piece by piece, as fast as the client reads it: the whole text is never in memory.
 *
 * @example toJsonStream(writeList('requests', entries, toServeEvent))
 */
export function toJsonStream(pieces: Iterator<string, void> | AsyncIterator<string, void>): Response {
  let sincePause = 0
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A client that reads at once would have all of it in one go.
      if (sincePause > PAUSE_AFTER) {
        await pause()
        sincePause = 0
      }
      let text = ''
      while (text.length < CHUNK) {
        const piece = await pieces.next()
        if (piece.done === true) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += piece.value
      }
      sincePause += text.length
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await pieces.return?.()
    },
  })
  return new Response(stream, { headers: { 'Content-Type': JSON_TYPE } })
}
