import { html, raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'

/** The HTML of a page. JSX has escaped all values in it. */
export async function toPageText(page: JSX.Element): Promise<string> {
  return String(await html`<!doctype html>${page}`)
}

/** Marks where the content goes in the text of a frame. */
const GAP = '\0'

const encoder = new TextEncoder()

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Streams a page, its frame before its content: the browser paints the frame while the content is rendered.
 *
 * @param toFrame renders the frame around the content
 * @param toContent called after the frame was read
 * @param headStart milliseconds between the frame and the content
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
      // In the first turn the server finds that nothing follows yet; in the second it sends what it has.
      await wait(0)
      await wait(headStart)
      controller.enqueue(encoder.encode(String(await html`${toContent()}`) + frame.slice(gap + GAP.length)))
      controller.close()
    },
  })
}
