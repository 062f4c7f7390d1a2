import { SetupError } from '../errors.ts'

/** The contents of a folder's files, by file name. */
export type FileTexts = Readonly<Record<string, string>>

interface PartialLoad<Read> {
  /** Absent if none of the changed files could be loaded. */
  readonly result?: Read
  /** The contents that the result was loaded from. */
  readonly texts: FileTexts
  /** The first error, if any file could not be loaded. */
  readonly fault?: SetupError
}

function withFile(texts: FileTexts, file: string, text: string | undefined): FileTexts {
  const { [file]: _previous, ...others } = texts
  return text === undefined ? others : { ...others, [file]: text }
}

/** Loads files one by one if not all are valid: broken files keep their last valid version, and all others are updated. */
export async function loadPartially<Read>({
  texts,
  good,
  read,
}: {
  readonly texts: FileTexts
  /** The last contents that loaded without errors. */
  readonly good: FileTexts
  /** @throws {SetupError} for invalid contents. */
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
  // A file may depend on another, such as a scenario on its `bodyFile`. Retry until no more files load.
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
