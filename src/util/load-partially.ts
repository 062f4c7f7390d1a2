import { SetupError } from '../errors.ts'

/** The contents of a folder's files, by file name. */
export type FileTexts = Readonly<Record<string, string>>

/** A file's text, or its bytes if they are not the UTF-8 of a text. */
export type FileContent = string | Uint8Array<ArrayBuffer>
export type FileContents = Readonly<Record<string, FileContent>>

/** Whether two files have the same content; an absent one has none. */
export function isSameContent(a: FileContent | undefined, b: FileContent | undefined): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object') return a === b
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}

interface PartialLoad<Read, Content> {
  /** Absent if none of the changed files could be loaded. */
  readonly result?: Read
  /** The contents that the result was loaded from. */
  readonly texts: Readonly<Record<string, Content>>
  /** The first error, if any file could not be loaded. */
  readonly fault?: SetupError
}

function withFile<Content>(
  texts: Readonly<Record<string, Content>>,
  file: string,
  text: Content | undefined,
): Readonly<Record<string, Content>> {
  const { [file]: _previous, ...others } = texts
  return text === undefined ? others : { ...others, [file]: text }
}

/** Loads files one by one if not all are valid: broken files keep their last valid version, and all others are updated. */
export async function loadPartially<Read, Content extends FileContent>(parts: {
  readonly texts: Readonly<Record<string, Content>>
  /** The last contents that loaded without errors. */
  readonly good: Readonly<Record<string, Content>>
  /** @throws {SetupError} for invalid contents. */
  readonly read: (texts: Readonly<Record<string, Content>>) => Promise<Read>
}): Promise<PartialLoad<Read, Content>> {
  const { texts, good, read } = parts
  const attempt = (some: Readonly<Record<string, Content>>): Promise<PartialLoad<Read, Content>> =>
    read(some).then(
      (result) => ({ result, texts: some }),
      (fault: unknown) => {
        if (!(fault instanceof SetupError)) throw fault
        return { texts: some, fault }
      },
    )

  const { fault, ...whole } = await attempt(texts)
  if (fault === undefined) return whole
  let best: PartialLoad<Read, Content> = { texts: good }
  let waiting = [...new Set([...Object.keys(good), ...Object.keys(texts)])].filter(
    (file) => !isSameContent(good[file], texts[file]),
  )
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
