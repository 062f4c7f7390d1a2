import { readStream } from '../http/body.ts'

export type BodyBytes = Uint8Array<ArrayBuffer>

/** A body as far as it was read: whole, or a stream that begins with what was read. */
export type TakenBody =
  | { readonly kind: 'whole'; readonly bytes: BodyBytes | undefined }
  | { readonly kind: 'stream'; readonly stream: ReadableStream<BodyBytes> }

/** What was read, and then the rest as it comes. */
function replay(
  begun: readonly BodyBytes[],
  reader: ReadableStreamDefaultReader<BodyBytes>,
): ReadableStream<BodyBytes> {
  const waiting = [...begun]
  return new ReadableStream<BodyBytes>({
    async pull(controller) {
      const next = waiting.shift()
      if (next !== undefined) return controller.enqueue(next)
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Reads a body up to a limit in bytes, so that one of any length passes without being kept. */
export async function takeBody(body: ReadableStream<BodyBytes> | null, limit: number): Promise<TakenBody> {
  if (body === null) return { kind: 'whole', bytes: undefined }
  const read = await readStream(body, limit)
  return read.kind === 'whole' ? read : { kind: 'stream', stream: replay(read.begun, read.reader) }
}
