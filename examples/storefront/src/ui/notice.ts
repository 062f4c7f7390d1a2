import { element } from './element.ts'

/** How long a notice stays visible. */
const STAY = 6000

/** The page's only live region: screen readers announce its text. */
export const notice = element('p', { class: 'notice', role: 'status' })

let timer: ReturnType<typeof setTimeout> | undefined

function put(sentence: string, audience: 'all' | 'listeners'): void {
  clearTimeout(timer)
  notice.dataset['audience'] = audience
  notice.textContent = sentence
  timer = setTimeout(() => notice.replaceChildren(), STAY)
}

/** Shows and announces a sentence, without moving the focus. */
export const say = (sentence: string): void => put(sentence, 'all')

/** Announces a sentence to screen readers only: other users see the same information on the page. */
export const tellListeners = (sentence: string): void => put(sentence, 'listeners')

/** Shorter waits are not announced. */
const SOON = 400

/**
 * Announces a sentence while something lasts, unless it ends soon or something else was just announced.
 *
 * @returns a function that removes the sentence
 */
export function sayWhile(sentence: string): () => void {
  const start = setTimeout(() => {
    if (notice.textContent === '' || notice.dataset['audience'] === 'listeners') say(sentence)
  }, SOON)
  return function takeBack() {
    clearTimeout(start)
    if (notice.textContent === sentence) notice.replaceChildren()
  }
}
