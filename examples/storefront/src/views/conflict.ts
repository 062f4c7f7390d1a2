import { fieldKinds, toFields } from '../product/fields.ts'
import type { FieldName, Fields } from '../product/fields.ts'
import { findChanged } from '../product/merge.ts'
import { nameOf } from '../product/product.ts'
import type { Product } from '../product/product.ts'
import { ask } from '../ui/ask.ts'
import { element } from '../ui/element.ts'

const toText = (text: string): string | Node => (text === '' ? element('em', {}, 'empty') : text)

/** A cell; marks a difference, and not by colour alone. */
const toCell = (before: string, after: string): HTMLElement =>
  element(
    'td',
    {},
    before === after ? element('span', { class: 'same' }, 'unchanged') : element('mark', {}, toText(after)),
  )

interface Column {
  readonly title: string
  readonly fields: Fields
}

/** Field by field: the old value, and the new value in each column. */
function toTable(before: Fields, columns: readonly Column[], names: readonly FieldName[]): HTMLElement {
  const head = ['Field', 'Before', ...columns.map(({ title }) => title)]
  const rows = names.map((name) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, fieldKinds[name].label),
      element('td', {}, toText(before[name])),
      ...columns.map(({ fields }) => toCell(before[name], fields[name])),
    ),
  )
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'What changed' },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...head.map((title) => element('th', { scope: 'col' }, title)))),
      element('tbody', {}, ...rows),
    ),
  )
}

const toNews = (theirs: Product, before: Product): string =>
  `You opened version ${before.version}; it is now version ${theirs.version}.`

interface Conflict {
  readonly before: Product
  readonly theirs: Product
  readonly mine: Fields
}

/** Asks whose changes to keep; undefined: the user wants to keep editing. */
export function askAboutConflict(
  { before, theirs, mine }: Conflict,
  signal: AbortSignal,
): Promise<'mine' | 'theirs' | undefined> {
  const first = toFields(before)
  const second = toFields(theirs)
  const names = [...new Set([...findChanged(first, second), ...findChanged(first, mine)])]
  const isSame = findChanged(first, second).length === 0
  return ask(
    {
      title: 'Someone else changed this product',
      body: [
        element(
          'p',
          {},
          toNews(theirs, before),
          isSame
            ? ' None of these fields have changed.'
            : ' If you keep yours, fields that you did not change take their values.',
        ),
        toTable(
          first,
          [
            { title: 'Theirs', fields: second },
            { title: 'Yours', fields: mine },
          ],
          names,
        ),
      ],
      choices: [
        { name: 'mine', label: 'Keep mine', kind: 'primary' },
        { name: 'theirs', label: 'Take theirs', kind: 'quiet' },
      ],
    },
    signal,
  )
}

/** Asks whether to delete a product that has changed since the user saw it. */
export function askAboutDeletion(
  before: Product,
  theirs: Product,
  signal: AbortSignal,
): Promise<'delete' | 'keep' | undefined> {
  const first = toFields(before)
  const second = toFields(theirs)
  const names = findChanged(first, second)
  return ask(
    {
      title: `${nameOf(theirs)} has changed`,
      body: [
        element('p', {}, toNews(theirs, before)),
        ...(names.length > 0 ? [toTable(first, [{ title: 'Now', fields: second }], names)] : []),
      ],
      choices: [
        { name: 'delete', label: 'Delete anyway', kind: 'danger' },
        { name: 'keep', label: 'Keep it', kind: 'quiet' },
      ],
    },
    signal,
  )
}
