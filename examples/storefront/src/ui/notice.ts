import { element } from './element.ts'

/** How long a notice stays in sight. */
const STAY = 6000

/** The page's one live region: what is said here is heard by those who listen to the page. */
export const notice = element('p', { class: 'notice', role: 'status' })

let timer: ReturnType<typeof setTimeout> | undefined

function put(sentence: string, audience: 'all' | 'listeners'): void {
  clearTimeout(timer)
  notice.dataset['audience'] = audience
  notice.textContent = sentence
  timer = setTimeout(() => notice.replaceChildren(), STAY)
}

/** Says a sentence to everybody, without taking the focus from where it is. */
export const say = (sentence: string): void => put(sentence, 'all')

/** Says a sentence to those who listen: the others see as much on the page. */
export const tellListeners = (sentence: string): void => put(sentence, 'listeners')

/** What takes no longer than this need not be spoken of. */
const SOON = 400

/**
 * Says a sentence as long as something lasts, if it does not end soon and nothing else has just been said.
 *
 * @returns what takes the sentence back
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
