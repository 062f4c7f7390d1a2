import { announce } from './announce.ts'
import { findTarget } from './dom.ts'

/** Copies a text; without a secure origin, by selecting it. */
async function copy(text: string, shown: Element): Promise<void> {
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(text)
    return
  }
  getSelection()?.selectAllChildren(shown)
  document.execCommand('copy')
}

/** Buttons with `data-copy` copy the text of the element with that id. */
export function bindCopies(): void {
  document.addEventListener('click', (event) => {
    const button = findTarget(event, '[data-copy]')
    const shown = document.getElementById(button?.dataset['copy'] ?? '')
    const label = button?.querySelector('span')
    if (button === undefined || shown === null || !label) return
    const tell = (word: string, sentence: string): void => {
      label.dataset['name'] ??= label.textContent ?? ''
      label.textContent = word
      announce(sentence)
      setTimeout(() => (label.textContent = label.dataset['name'] ?? ''), 1500)
    }
    copy(shown.textContent ?? '', shown).then(
      () => tell('Copied', 'Copied.'),
      () => tell('Not allowed', 'The browser blocked copying. Open the text and copy it by hand.'),
    )
  })
}
