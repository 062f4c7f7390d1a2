import { html, raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'

/** A page as the text of its document. What its parts are given was escaped where it was written into them. */
export async function toPageText(page: JSX.Element): Promise<string> {
  return String(await html`<!doctype html>${page}`)
}

/** Stands in a frame's text where its content goes. */
const GAP = '\0'

const encoder = new TextEncoder()

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * A page as the bytes of its document, its frame before its content: a browser paints the one while the other is written.
 *
 * @param toFrame puts the content where it belongs
 * @param toContent called when the frame has been read
 * @param headStart so many milliseconds after the frame the content is sent, or as soon as it can be
 */
export async function toPageStream(
  toFrame: (content: Child) => JSX.Element,
  toContent: () => JSX.Element,
  headStart: number,
): Promise<ReadableStream<Uint8Array>> {
  const frame = await toPageText(toFrame(raw(GAP)))
  const gap = frame.lastIndexOf(GAP)
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(frame.slice(0, gap)))
    },
    async pull(controller) {
      // In the one, who sends the page finds that there is no more of it yet; in the other, what there is goes out.
      await wait(0)
      await wait(headStart)
      controller.enqueue(encoder.encode(String(await html`${toContent()}`) + frame.slice(gap + GAP.length)))
      controller.close()
    },
  })
}
