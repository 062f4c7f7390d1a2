// Makes the page that the server wrote live.

import { EVERY_SESSION } from '../../sessions/events.ts'
import { bindCopies } from './copy.ts'
import { expectElement, throttle } from './dom.ts'
import { bindForms } from './forms.ts'
import { watchHands } from './hands.ts'
import { localize } from './localize.ts'
import { loadPage } from './pages.ts'
import { refreshRegions } from './replace.ts'
import { openRequests } from './requests.ts'
import { openStream } from './stream.ts'
import { announce } from './announce.ts'

localize(document)
bindCopies()

const requests = document.body.dataset['view'] === 'requests' ? openRequests(() => Date.now()) : undefined

/** Whether something of the page stayed as it was, since someone held it. */
let isBehind = false

/** Whether the session that the page is in has ended, or a form that may end it leads away: to load the page would begin it anew. */
let isOver = false
/** What tells so; the session that is everyone's begins anew by itself. */
const ended = document.getElementById('ended')

const away = expectElement('away', HTMLElement)
const awayText = away.textContent

// A page of the project that was asked for last stays with the one that it showed first, and what is told once is not asked for again.
history.replaceState(undefined, '', `${document.body.dataset['address'] ?? ''}${location.hash}`)

/** How often the page was asked for, or shown as a form left it; and which of these is shown, since none may come after a later one. */
let asked = 0
let shown = 0

async function loadChanges(): Promise<void> {
  if (isOver) return
  asked += 1
  const at = asked
  const page = await loadPage(location.href).catch(() => undefined)
  if (page === undefined || at < shown) return
  shown = at
  isBehind = !refreshRegions(page)
}

/** What changed of the page that is shown, as long as the mock answers. */
const refresh = throttle(() => void loadChanges(), 600)

watchHands(() => {
  requests?.draw()
  if (isBehind) refresh()
})

const isOfAll =
  document.body.dataset['view'] === 'sessions' || new URLSearchParams(location.search).get('from') === EVERY_SESSION
const url = new URL(document.body.dataset['events'] ?? '', location.href)
if (isOfAll) url.searchParams.set('session', EVERY_SESSION)

bindForms(() => {
  asked += 1
  shown = asked
  if (ended?.hidden === false) beginAnew(ended)
  refresh()
  void requests?.reload()
})
document.addEventListener('submit', ({ defaultPrevented, target }) => {
  if (!defaultPrevented && target instanceof HTMLFormElement && target.method === 'post') isOver = true
})
window.addEventListener('pageshow', () => (isOver = ended?.hidden === false))

const stream = openStream({
  url: url.href,
  onRequest(event) {
    if (requests === undefined) refresh()
    else requests.hear(event)
  },
  onChange: refresh,
  onReplace: () => void requests?.reload(),
  onState(state, why) {
    away.textContent = why === undefined ? awayText : `${why} Load this page anew to see what can be done.`
    away.hidden = state === 'live'
    requests?.setState(state)
  },
  onEnd(session) {
    if (ended === null || session !== document.body.dataset['session']) return false
    isOver = true
    ended.hidden = false
    return true
  },
  onOpen(isAgain) {
    if (isAgain) announce('Connected again.')
    refresh()
    void requests?.reload()
  },
})

/** Someone did something in the session that had ended, with which it began anew. */
function beginAnew(told: HTMLElement): void {
  told.hidden = true
  isOver = false
  stream.connect()
}
