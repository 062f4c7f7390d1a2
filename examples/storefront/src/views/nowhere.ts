import type { Page } from '../page.ts'
import { toList } from '../route.ts'
import { element } from '../ui/element.ts'
import { toPanel } from './states.ts'

/** For addresses that match no page of the shop. */
export async function showNowhere({ show }: Page): Promise<void> {
  const home = element('a', { class: 'button primary', href: toList() }, 'Back to the shop')
  show('Nothing here', toPanel(element('p', {}, 'The shop has no such page.'), home))
}
