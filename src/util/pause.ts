/** The work on a longer text pauses between its steps, in characters. */
const LONG_TEXT = 100_000

/** Lets other requests have their turn. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Pauses after a step of the work on a text, if the text is long. */
export async function pauseIfLong(text: string): Promise<void> {
  if (text.length > LONG_TEXT) await pause()
}
