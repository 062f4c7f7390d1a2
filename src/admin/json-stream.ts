import { JSON_TYPE } from '../walk/respond.ts'

/** So many characters are sent at a time, or more. */
const CHUNK = 16 * 1024

const encoder = new TextEncoder()

/**
 * Answers JSON text piece by piece, as fast as the client reads it: the whole text is never in memory.
 *
 * @example toJsonStream(writeList('requests', entries, toServeEvent))
 */
export function toJsonStream(pieces: Iterator<string, void>): Response {
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      let text = ''
      while (text.length < CHUNK) {
        const piece = pieces.next()
        if (piece.done === true) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += piece.value
      }
      controller.enqueue(encoder.encode(text))
    },
  })
  return new Response(stream, { headers: { 'Content-Type': JSON_TYPE } })
}
