import picomatch from 'picomatch'

/** A path's `*` ends at a slash; any other text's does not. */
export const toPathGlob = (glob: string): ((text: string) => boolean) =>
  picomatch(glob, { nobrace: true, nobracket: true, noextglob: true, nonegate: true, dot: true })
