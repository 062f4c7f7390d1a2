import type { Wish } from '../api/products.ts'
import { toList } from '../route.ts'
import { element } from '../ui/element.ts'
import { toPageNumbers } from './page-numbers.ts'

/** The service does not page beyond this (its greatest offset is 10000). */
const LAST_PAGE = 834

/** The pagination; nothing if there is only one page. */
export function toPages(wish: Wish, count: number): readonly Node[] {
  const last = Math.min(count, LAST_PAGE)
  if (last <= 1) return []
  const { page: current } = wish

  const toStep = (page: number, label: string, arrow: string) =>
    page >= 1 &&
    page <= last &&
    element('a', { class: 'step', href: toList({ ...wish, page }), 'aria-label': label }, arrow)
  const toNumber = (page: number) =>
    page === 0
      ? element('span', { 'aria-hidden': 'true' }, '…')
      : element(
          'a',
          {
            href: toList({ ...wish, page }),
            'aria-label': `Page ${page}`,
            'aria-current': page === current ? 'page' : undefined,
          },
          String(page),
        )

  return [
    element(
      'nav',
      { class: 'pages', 'aria-label': 'Pages' },
      toStep(current - 1, 'Previous page', '←'),
      ...toPageNumbers(current, last).map(toNumber),
      toStep(current + 1, 'Next page', '→'),
    ),
  ]
}
