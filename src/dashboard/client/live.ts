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

/** Whether a form leads elsewhere, as the one does that ends the session that the page is in: to load that page would begin it anew. */
let isLeft = false

/** How often the page was asked for, or shown as a form left it: what was asked before the last of these is out of date. */
let age = 0

/** What changed of the page that is shown, as long as the mock answers. */
const refresh = throttle(() => {
  if (isLeft) return
  age += 1
  const asked = age
  void loadPage(location.href).then(
    (page) => {
      if (asked === age) isBehind = !refreshRegions(page)
    },
    () => undefined,
  )
}, 600)

watchHands(() => {
  requests?.draw()
  if (isBehind) refresh()
})

const isOfAll =
  document.body.dataset['view'] === 'sessions' || new URLSearchParams(location.search).get('from') === EVERY_SESSION
const url = new URL(document.body.dataset['events'] ?? '', location.href)
if (isOfAll) url.searchParams.set('session', EVERY_SESSION)

bindForms(() => {
  age += 1
  refresh()
  void requests?.reload()
})
document.addEventListener('submit', ({ defaultPrevented }) => (isLeft = !defaultPrevented))
window.addEventListener('pageshow', () => (isLeft = false))
openStream({
  url: url.href,
  onRequest(event) {
    if (requests === undefined) refresh()
    else requests.hear(event)
  },
  onChange: refresh,
  onReplace: () => void requests?.reload(),
  onState(state) {
    expectElement('away', HTMLElement).hidden = state === 'live'
    requests?.setState(state)
  },
  onOpen(isAgain) {
    if (isAgain) announce('Connected again.')
    refresh()
    void requests?.reload()
  },
})
