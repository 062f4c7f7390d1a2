/** What stands for any run of items, however long. */
export const RUN = Symbol('run')

/**
 * Whether items are what a pattern says, part by part. After a run that was too short only the last one is made longer,
 * so that it never takes more steps than there are items times parts; a regular expression with many stars can take a
 * power of that.
 *
 * @example fitsPattern([...'abc'], ['a', RUN], (item, part) => item === part) // true
 */
export function fitsPattern<Item, Part>(
  items: readonly Item[],
  parts: readonly (Part | typeof RUN)[],
  fits: (item: Item, part: Part) => boolean,
): boolean {
  let at = 0
  let next = 0
  let run: { readonly part: number; until: number } | undefined
  while (at < items.length) {
    const part = parts[next]
    if (part === RUN) {
      run = { part: next, until: at }
      next += 1
    } else if (part !== undefined && fits(items[at] as Item, part)) {
      at += 1
      next += 1
    } else if (run !== undefined) {
      run.until += 1
      at = run.until
      next = run.part + 1
    } else {
      return false
    }
  }
  return parts.slice(next).every((part) => part === RUN)
}

const ANY_CHARACTER = '?'

const fitsCharacter = (character: string, wanted: string): boolean => wanted === ANY_CHARACTER || character === wanted

/** One segment of a path, in which `*` stands for any characters and `?` for one. */
function toSegmentGlob(glob: string): (segment: string) => boolean {
  if (!/[*?]/.test(glob)) return (segment) => segment === glob
  const parts = glob.split('').map((character) => (character === '*' ? RUN : character))
  // A segment that is nothing but stars is there, and not empty.
  const least = parts.every((part) => part === RUN) ? 1 : 0
  return (segment) => segment.length >= least && fitsPattern(segment.split(''), parts, fitsCharacter)
}

/** Compiles a glob of paths: `*` stands for one segment or a part of it, `**` for any number, `?` for one character. */
export function toPathGlob(glob: string): (path: string) => boolean {
  const parts = glob.split('/').map((segment) => (segment === '**' ? RUN : toSegmentGlob(segment)))
  return (path) => fitsPattern(path.split('/'), parts, (segment, admits) => admits(segment))
}
