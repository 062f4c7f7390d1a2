import { findTarget } from './dom.ts'

/** A notice of something done disappears after this many milliseconds, unless the pointer or the focus is on it. */
const PATIENCE = 15_000

const findNotice = (): HTMLElement | null => document.getElementById('notice')

/** Takes the notice away, with the focus to where it cannot be lost. */
function dismiss(notice: HTMLElement): void {
  if (notice.contains(document.activeElement)) document.getElementById('main')?.focus({ preventScroll: true })
  notice.className = ''
  notice.replaceChildren()
}

/** Lets notices be dismissed, and those of something done leave by themselves. Call what it returns for each new one. */
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
