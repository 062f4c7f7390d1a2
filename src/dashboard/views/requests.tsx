import { operationIds } from '../../contract/endpoints.ts'
import { EVERY_SESSION } from '../../sessions/events.ts'
import { UNMATCHED, statusChoices, toHiddenText, toShownText } from '../filter.ts'
import type { Filter } from '../filter.ts'
import { isSortKey, sortRows, toAriaSort, toNextSort } from '../sort.ts'
import { Act, Confirm, SearchFields } from '../parts/act.tsx'
import { Charts } from '../parts/charts.tsx'
import { Icon } from '../parts/icon.tsx'
import { RowLine, columns } from '../parts/row-line.tsx'
import type { Row } from '../row.ts'
import { filterRows, findEntry, toListPage } from '../rows.ts'
import type { ListPage } from '../rows.ts'
import type { ViewContext } from '../view-context.ts'
import { toTimeline } from '../timeline.ts'
import { ExchangeDetail } from './exchange.tsx'
import { FirstRequest } from './first-request.tsx'

/** How many rows the page has without JavaScript. */
const MOST_LINES = 40

const NO_ROW: Row = {
  id: '',
  time: 0,
  session: '',
  method: '',
  target: '',
  operation: '',
  status: 200,
  duration: 0,
  scenarios: [],
  warnings: [],
}

const readFilter = ({ param }: ViewContext): Filter => ({
  text: param('text'),
  operation: param('operation'),
  status: param('status'),
  sort: param('sort'),
})

/** The URL parameters that keep the filter. */
const toKept = (context: ViewContext): Readonly<Record<string, string>> => ({
  ...readFilter(context),
  from: context.param('from'),
})

/** The address of the rows as JSON or HAR, of one session or all. */
function toListAddress({ place, param }: ViewContext, path: string): string {
  const address = place.toApi(path)
  return param('from') === ''
    ? address
    : `${address}${address.includes('?') ? '&' : '?'}from=${encodeURIComponent(param('from'))}`
}

const Choice = ({ value, chosen, label }: { value: string; chosen: string; label: string }) => (
  <option value={value} selected={value === chosen}>
    {label}
  </option>
)

const FilterBar = ({ context, filter }: { readonly context: ViewContext; readonly filter: Filter }) => (
  <form
    class="filter"
    method="get"
    action={context.place.home}
    role="search"
    aria-label="Filter requests"
    id="filter"
    autocomplete="off"
  >
    <SearchFields context={context} view="requests" />
    <input type="hidden" name="sort" value={filter.sort} />
    <label class="grow">
      <span class="sr">Text</span>
      <input
        type="search"
        name="text"
        value={filter.text}
        placeholder='Filter: shirt status&gt;=400 -session:worker-2 body~"x"'
        autocomplete="off"
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
    <label>
      <span class="sr">Operation</span>
      <select name="operation">
        <Choice value="" chosen={filter.operation} label="Any operation" />
        {operationIds.map((id) => (
          <Choice value={id} chosen={filter.operation} label={id} />
        ))}
        <Choice value={UNMATCHED} chosen={filter.operation} label="Unmatched" />
      </select>
    </label>
    <label>
      <span class="sr">Status</span>
      <select name="status">
        {statusChoices.map(([value, label]) => (
          <Choice value={value} chosen={filter.status} label={label} />
        ))}
      </select>
    </label>
    <label>
      <span class="sr">Sessions</span>
      <select name="from">
        <Choice value="" chosen={context.param('from')} label={`Session ${context.place.session}`} />
        <Choice value={EVERY_SESSION} chosen={context.param('from')} label="All sessions" />
      </select>
    </label>
    <button class="button no-script">Filter</button>
  </form>
)

const Tools = ({ context }: { readonly context: ViewContext }) => {
  const { place } = context
  const isOfAll = context.param('from') === EVERY_SESSION
  const of = isOfAll ? 'all sessions' : `session ${place.session}`
  return (
    <div class="tools">
      <span class="live" id="live" data-state="static">
        Static
      </span>
      <button class="button needs-script" id="pause" type="button" aria-pressed="false">
        <Icon name="pause" />
        <span>Pause</span>
      </button>
      <a class="button" href={toListAddress(context, '/dashboard.har')} download="requests.har">
        HAR
      </a>
      <Confirm label="Clear" loss={`The requests of ${of} are lost. This cannot be undone.`}>
        <Act
          place={place}
          calls={['DELETE /requests']}
          isEverywhere={isOfAll}
          done={`Requests of ${of} cleared.`}
          to={place.to('requests', { from: context.param('from') })}
        >
          <button class="button danger">Clear now</button>
        </Act>
      </Confirm>
    </div>
  )
}

/** The name of a column; a click sorts by it. */
const ColumnHead = ({ context, name }: { readonly context: ViewContext; readonly name: string }) => {
  const key = name.toLowerCase()
  const kept = toKept(context)
  const sort = context.param('sort')
  return (
    <span role="columnheader" class={`c-${key}`} aria-sort={toAriaSort(key, sort)}>
      {isSortKey(key) ? (
        <a href={context.place.to('requests', { ...kept, sort: toNextSort(key, sort) })} data-sort={key}>
          {name}
        </a>
      ) : (
        name
      )}
    </span>
  )
}

const List = async ({ context, page }: { readonly context: ViewContext; readonly page: ListPage }) => {
  const { rows, total } = page
  const kept = toKept(context)
  const open = context.param('request')
  const filter = readFilter(context)
  const shown = sortRows(await filterRows(context, page, filter), filter.sort)
  const older = total - rows.length
  const toHref = (id: string) => context.place.to('requests', { ...kept, request: id })
  return (
    <section class="list" aria-label="Requests, newest first">
      <button class="button small newer" id="newer" type="button" hidden />
      <div
        role="table"
        aria-label="Requests"
        aria-rowcount={shown.length + 1}
        class="table"
        id="table"
        data-all={context.param('from') === '' ? undefined : ''}
      >
        <div role="rowgroup">
          <div role="row" class="row head" aria-rowindex={1}>
            {columns.map((name) => (
              <ColumnHead context={context} name={name} />
            ))}
          </div>
        </div>
        <div role="rowgroup" id="rows" data-href={toHref('ID')} data-rows={toListAddress(context, '/dashboard.json')}>
          {shown.slice(0, MOST_LINES).map((row, at) => (
            <RowLine row={row} href={toHref(row.id)} isOpen={row.id === open} index={at + 2} />
          ))}
        </div>
      </div>
      <template id="row">
        <RowLine row={NO_ROW} href="" isOpen={false} index={0} />
      </template>
      <div class="empty" id="none" hidden={rows.length === 0 || shown.length > 0}>
        <h2>No requests match the filter</h2>
        <p id="hidden">{toHiddenText(filter.text, { rows, older })}</p>
        <a class="button" href={context.place.to('requests', { from: context.param('from') })}>
          Show all
        </a>
      </div>
      <FirstRequest context={context} isHidden={rows.length > 0} />
      <ul class="pending" id="pending" aria-label="Requests without a response yet" hidden />
      <p class="quiet foot">
        <span id="shown">{toShownText(filter, { shown: Math.min(MOST_LINES, shown.length), rows, total, older })}</span>
        <button class="button small" id="older" type="button" hidden>
          Load older requests
        </button>
      </p>
    </section>
  )
}

/** Requests and responses, live. */
export const RequestsView = async ({ context }: { readonly context: ViewContext }) => {
  const open = context.param('request')
  const detail = (
    <section class="detail" id="detail" aria-label="Request and response" hidden={open === ''}>
      {open !== '' && (
        <ExchangeDetail
          context={context}
          entry={findEntry(context, open)}
          close={context.place.to('requests', toKept(context))}
        />
      )}
    </section>
  )
  // The script loads this part when a row is opened.
  if (context.param('part') === 'detail') return detail
  const page = await toListPage(context)
  const { rows, total } = page
  const since = rows.length < total ? rows.at(-1)?.time : undefined
  return (
    <>
      <div class="head-line">
        <h1>Requests</h1>
        <Tools context={context} />
      </div>
      <Charts timeline={toTimeline(rows, { now: context.parts.clock(), since })} />
      <FilterBar context={context} filter={readFilter(context)} />
      <div class="split" data-split={open === '' ? undefined : ''}>
        <List context={context} page={page} />
        {detail}
      </div>
    </>
  )
}
