// Makes the page that the server wrote live.

import { EVERY_SESSION } from '../../sessions/events.ts'
import { bindCopies } from './copy.ts'
import { expectElement, throttle } from './dom.ts'
import { hasEnded, takeBackEnd } from './ended.ts'
import { bindForms } from './forms.ts'
import { watchInput } from './input-state.ts'
import { createLatestWins } from './latest-wins.ts'
import { localize } from './localize.ts'
import { bindNotices } from './notices.ts'
import { loadPage } from './pages.ts'
import { refreshRegions } from './morph.ts'
import { createPending } from './pending.ts'
import { openRequests } from './requests.ts'
import { openStream } from './stream.ts'
import { announce } from './announce.ts'

localize(document)
bindCopies()

const requests = document.body.dataset['view'] === 'requests' ? openRequests(() => Date.now()) : undefined

/** Whether a part of the page is out of date because someone was using it. */
let isBehind = false

const away = expectElement('away', HTMLElement)
const awayText = away.textContent

// The URL keeps the project that the page shows, and forgets the notice, which is shown once.
history.replaceState(undefined, '', `${document.body.dataset['address'] ?? ''}${location.hash}`)

const order = createLatestWins()

async function loadChanges(): Promise<void> {
  if (hasEnded()) return
  const asked = order.ask()
  const page = await loadPage(location.href).catch(() => undefined)
  if (page !== undefined && order.accept(asked)) isBehind = !refreshRegions(page)
}

/** Loads what changed, at most every 0.6 s. */
const refresh = throttle(() => void loadChanges(), 600)

watchInput(() => {
  requests?.draw()
  if (isBehind) refresh()
})

const isOfAll =
  document.body.dataset['view'] === 'sessions' || new URLSearchParams(location.search).get('from') === EVERY_SESSION
const url = new URL(document.body.dataset['events'] ?? '', location.href)
if (isOfAll) url.searchParams.set('session', EVERY_SESSION)

url.searchParams.set('pending', 'true')
const pending = createPending(document.getElementById('pending'))

const stream = openStream({
  url: url.href,
  onPending: pending.add,
  onRequest(event) {
    pending.remove(event.correlationId)
    if (requests === undefined) refresh()
    else requests.hear(event)
  },
  onChange: refresh,
  onReplace: () => void requests?.reload(),
  onState(state, why) {
    away.textContent = why === undefined ? awayText : `${why} Reload this page to see what to do.`
    away.hidden = state === 'live' || hasEnded()
    requests?.setState(state)
  },
  onOpen(isAgain) {
    if (isAgain) announce('Connected again.')
    pending.clear()
    refresh()
    void requests?.reload()
  },
})

const watchNotice = bindNotices()

bindForms((isBegun) => {
  watchNotice()
  order.accept(order.ask())
  if (isBegun) {
    takeBackEnd()
    stream.connect()
  }
  refresh()
  void requests?.reload()
})
