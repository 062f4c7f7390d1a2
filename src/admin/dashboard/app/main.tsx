/*
 * The dashboard: an application in the browser, and a client of the admin API like any other. It imports only types and
 * pure modules from the rest of src/.
 *
 * Add a view: a component in views/ (a folder if it has several files), and an entry in views/views.ts.
 * Address: `useAddress().params` has the state of the view; change it with `go(toHere({ filter }), 'replace')` or a
 *   `<Link href={toView('data', { resource })}>`. Another session is another page: a plain `<a href={toSession(name)}>`.
 * Focus: an element that is removed hands it on (focus.ts). A form with text that is not saved says so: `useUnsaved(isChanged)`.
 * Read: `const { value, error, reload } = useResource<Type>('/path', ['state'])` loads again after these events. Type it by
 *   the server's own type. Data of the service stay text (`String` as third argument), for `<Json text>`.
 * Write: `const { run, isBusy, error } = useAction()`, then `run(() => source.send('PUT', '/path', body), 'Done.')`. Hide
 *   writes if `source.isReadOnly`: the same components show a file of a finished test.
 * Show: only the parts in parts/, and classes that the style sheet has already. Colours, sizes and spaces come from tokens.css.
 * Effects: those with a cleanup use `useLayoutEffect`. Hono may run a `useEffect` twice, or after its component was removed,
 *   and then never runs the first cleanup.
 * Never create markup from text: the Trusted Types policy forbids innerHTML.
 */
import { render } from 'hono/jsx/dom'
import { go, toHere, watchHistory } from './address.ts'
import { createFileSource, createMockSource } from './api.ts'
import type { Source } from './api.ts'
import { keepFocus } from './focus.ts'
import { createLive, LiveContext } from './live.ts'
import type { SharedData } from './shared-data.ts'
import { applyColors, DashboardShell } from './shell.tsx'

const shared = document.getElementById('shared-data')?.textContent ?? undefined
const data = shared === undefined ? undefined : (JSON.parse(shared) as SharedData)

function createSource(): Source {
  const named = new URLSearchParams(location.search).get('session')
  if (data !== undefined) return createFileSource(named ?? data.session, data.answers)
  const { session = 'default', archived } = document.body.dataset
  return createMockSource(location.pathname.replace(/\/$/, ''), session, archived !== undefined)
}

applyColors()
watchHistory()
if (data !== undefined && !location.search.includes('view=')) go(toHere({ view: data.view }), 'replace')
const live = createLive(createSource())
const root = document.createElement('div')
root.id = 'app'
document.body.append(root)
keepFocus(root)
render(
  <LiveContext.Provider value={live}>
    <DashboardShell leftOut={data?.leftOut} isFromCookie={document.body.dataset['cookie'] !== undefined} />
  </LiveContext.Provider>,
  root,
)
