/** A body as far as it was read: whole, or a stream that begins with what was read. */
export type TakenBody =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array<ArrayBuffer> | undefined }
  | { readonly kind: 'stream'; readonly stream: ReadableStream<Uint8Array> }

function join(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

/** What was read, and then the rest as it comes. */
function replay(chunks: readonly Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>) {
  const waiting = [...chunks]
  return new ReadableStream<Uint8Array>({
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
export async function takeBody(body: ReadableStream<Uint8Array> | null, limit: number): Promise<TakenBody> {
  if (body === null) return { kind: 'whole', bytes: undefined }
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { kind: 'whole', bytes: join(chunks, size) }
    chunks.push(value)
    size += value.byteLength
    if (size > limit) return { kind: 'stream', stream: replay(chunks, reader) }
  }
}
