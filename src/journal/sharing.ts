/** Gives a list that is known already in place of one that is the same, so that only one of them is kept. */
export type Share = (list: readonly string[]) => readonly string[]

/**
 * Shares lists that are the same in a row, as the headers of one client's requests are: a journal full of them would
 * cost each request more in garbage collection than everything else that is noted of it.
 */
export function createSharing(): Share {
  let latest: readonly string[] = []
  return function share(list) {
    if (list.length !== latest.length || list.some((text, at) => text !== latest[at])) latest = list
    return latest
  }
}
