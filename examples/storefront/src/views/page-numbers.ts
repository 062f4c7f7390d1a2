/** The page numbers to show: the ends, the current one and its neighbours; 0 means a gap. */
export function toPageNumbers(current: number, last: number): readonly number[] {
  const offered = [1, current - 1, current, current + 1, last].filter((page) => page >= 1 && page <= last)
  const pages = [...new Set(offered)].toSorted((a, b) => a - b)
  return pages.flatMap((page, at) => {
    const before = pages[at - 1] ?? page
    if (page - before <= 1) return [page]
    return page - before === 2 ? [page - 1, page] : [0, page]
  })
}
