import { SetupError } from '../errors.ts'

/** Texts of files, by file name. */
type Texts = Readonly<Record<string, string>>

interface LoadParts<Read> {
  readonly texts: Texts
  /** Texts that could be read before. */
  readonly good: Texts
  /** @throws {SetupError} for texts that it cannot read. */
  readonly read: (texts: Texts) => Promise<Read>
}

interface Loaded<Read> {
  /** Absent: nothing of what changed can be read. */
  readonly result?: Read
  /** What that was read from. */
  readonly texts: Texts
  /** Why not all of it was. */
  readonly fault?: SetupError
}

function withFile(texts: Texts, file: string, text: string | undefined): Texts {
  const { [file]: _previous, ...others } = texts
  return text === undefined ? others : { ...others, [file]: text }
}

/** Reads texts; one that is broken leaves what was last good of it, and the others are taken over. */
export async function loadPartially<Read>({ texts, good, read }: LoadParts<Read>): Promise<Loaded<Read>> {
  const attempt = (some: Texts): Promise<Loaded<Read>> =>
    read(some).then(
      (result) => ({ result, texts: some }),
      (fault: unknown) => {
        if (!(fault instanceof SetupError)) throw fault
        return { texts: some, fault }
      },
    )

  const { fault, ...whole } = await attempt(texts)
  if (fault === undefined) return whole
  let best: Loaded<Read> = { texts: good }
  let waiting = [...new Set([...Object.keys(good), ...Object.keys(texts)])].filter((file) => good[file] !== texts[file])
  // A file may rest on another, such as a scenario on its `bodyFile`: as long as one comes in, the others may too.
  for (let before = Infinity; waiting.length < before;) {
    before = waiting.length
    const failed: string[] = []
    for (const file of waiting) {
      const tried = await attempt(withFile(best.texts, file, texts[file]))
      if (tried.fault === undefined) best = tried
      else failed.push(file)
    }
    waiting = failed
  }
  return { ...best, fault }
}
