import { findTarget } from './dom.ts'

/** A notice of something done disappears after this many milliseconds, unless the pointer or the focus is on it. */
const PATIENCE = 15_000

const findNotice = (): HTMLElement | null => document.getElementById('notice')

/** Removes the notice, and moves the focus out of it. */
function dismiss(notice: HTMLElement): void {
  if (notice.contains(document.activeElement)) document.getElementById('main')?.focus({ preventScroll: true })
  notice.className = ''
  notice.replaceChildren()
}

/** Notices can be dismissed, and success notices disappear. Call the returned function for each new notice. */
export function bindNotices(): () => void {
  let timer: number | undefined

  function watch(): void {
    clearTimeout(timer)
    const notice = findNotice()
    if (notice === null || notice.childElementCount === 0 || notice.classList.contains('failed')) return
    timer = window.setTimeout(() => {
      if (notice.matches(':hover, :focus-within')) watch()
      else dismiss(notice)
    }, PATIENCE)
  }

  document.addEventListener('click', (event) => {
    const notice = findNotice()
    if (findTarget(event, '[data-dismiss]') !== undefined && notice !== null) dismiss(notice)
  })
  watch()
  return watch
}
