import { SetupError } from '../errors.ts'

/** The texts of a folder's files, by file name. */
export type FileTexts = Readonly<Record<string, string>>

interface PartialLoad<Read> {
  /** Absent if none of the changed files could be loaded. */
  readonly result?: Read
  /** The texts that the result was loaded from. */
  readonly texts: FileTexts
  /** Why some file could not be loaded. */
  readonly fault?: SetupError
}

function withFile(texts: FileTexts, file: string, text: string | undefined): FileTexts {
  const { [file]: _previous, ...others } = texts
  return text === undefined ? others : { ...others, [file]: text }
}

/** Loads texts. A broken one keeps its last good version, and the others are updated. */
export async function loadPartially<Read>({
  texts,
  good,
  read,
}: {
  readonly texts: FileTexts
  /** The texts that were last loaded without an error. */
  readonly good: FileTexts
  /** @throws {SetupError} for texts that it cannot read. */
  readonly read: (texts: FileTexts) => Promise<Read>
}): Promise<PartialLoad<Read>> {
  const attempt = (some: FileTexts): Promise<PartialLoad<Read>> =>
    read(some).then(
      (result) => ({ result, texts: some }),
      (fault: unknown) => {
        if (!(fault instanceof SetupError)) throw fault
        return { texts: some, fault }
      },
    )

  const { fault, ...whole } = await attempt(texts)
  if (fault === undefined) return whole
  let best: PartialLoad<Read> = { texts: good }
  let waiting = [...new Set([...Object.keys(good), ...Object.keys(texts)])].filter((file) => good[file] !== texts[file])
  // A file may need another, such as a scenario its `bodyFile`: try again while one more loads.
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
