/** What the page does at a step of scrolling. */
export interface ScrollWork {
  /** Lines that are given the texts of another request. */
  readonly filled: number
  /** Times that the browser is asked for a size or a place, for which it may have to lay out the page. */
  readonly measured: number
  /** Lines that are in the page then. */
  readonly lines: number
}

/**
 * Counts what each of some steps down the list costs. It runs in the page, so all that it needs stands in it.
 *
 * @param step of how many pixels, and how often
 */
export function countScrollWork({ by, times }: { readonly by: number; readonly times: number }): readonly ScrollWork[] {
  const [table, holder] = [document.querySelector('#table'), document.querySelector('#rows')]
  if (table === null || holder === null) throw new Error('The page has no list.')
  let measured = 0

  function countReads(of: object, names: readonly string[]): void {
    for (const name of names) {
      const { get, value, ...rest } = Object.getOwnPropertyDescriptor(of, name) ?? {}
      Object.defineProperty(of, name, {
        configurable: true,
        ...('set' in rest ? { set: rest.set } : {}),
        get() {
          measured += 1
          return get === undefined ? value : get.call(this)
        },
      })
    }
  }
  countReads(window, ['getComputedStyle'])
  countReads(Element.prototype, ['scrollTop', 'scrollHeight', 'clientHeight', 'clientWidth', 'getBoundingClientRect'])
  countReads(HTMLElement.prototype, ['offsetTop', 'offsetHeight', 'offsetWidth'])

  const observer = new MutationObserver(() => undefined)
  observer.observe(holder, { subtree: true, attributeFilter: ['data-id'] })
  return Array.from({ length: times }, () => {
    table.scrollBy(0, by)
    measured = 0
    table.dispatchEvent(new Event('scroll'))
    const filled = observer.takeRecords().length
    return { filled, measured, lines: holder.childElementCount }
  })
}
