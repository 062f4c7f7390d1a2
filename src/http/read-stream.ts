import { createPace } from '../util/pause.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A stream as far as it was read. */
export type StreamRead =
  | { readonly kind: 'whole'; readonly bytes: Bytes }
  /** Longer than the limit: what came until then, and where the rest comes from. */
  | { readonly kind: 'longer'; readonly begun: readonly Bytes[]; readonly reader: ReadableStreamDefaultReader<Bytes> }

/** After so many joined bytes others have their turn. */
const SLICE = 8 * 1024 * 1024

async function join(chunks: readonly Bytes[], size: number): Promise<Bytes> {
  const [only] = chunks
  if (chunks.length === 1 && only !== undefined) return only
  const whole = new Uint8Array(size)
  const pace = createPace(SLICE)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
    await pace(chunk.byteLength)
  }
  return whole
}

/** Reads a stream whole, and stops as soon as it is longer than a limit in bytes. */
export async function readStream(stream: ReadableStream<Bytes>, limit: number): Promise<StreamRead> {
  const reader = stream.getReader()
  const chunks: Bytes[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { kind: 'whole', bytes: await join(chunks, size) }
    chunks.push(value)
    size += value.byteLength
    if (size > limit) return { kind: 'longer', begun: chunks, reader }
  }
}
