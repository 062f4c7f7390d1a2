import { renderSVG } from 'uqr'
import { BASE } from '../api/base.ts'
import { element } from '../ui/element.ts'

/** The visitor's session; undefined for the mock's default session, which the dev server uses. */
async function findSession(): Promise<string | undefined> {
  try {
    const response = await fetch(new URL('./visitor', document.baseURI))
    const { session } = (await response.json()) as { readonly session?: string }
    return session
  } catch {
    // The dev server responds with a page.
    return undefined
  }
}

/** A link to the dashboard of this visitor's session, and a QR code of it for other devices. */
export async function createDashboardLink(): Promise<HTMLElement> {
  const session = await findSession()
  const href = `${BASE}${session === undefined ? '' : `/@${session}`}/__admin`
  const { documentElement: code } = new DOMParser().parseFromString(renderSVG(href, { border: 2 }), 'image/svg+xml')
  code.setAttribute('role', 'img')
  code.setAttribute('aria-label', 'QR code of the link to your session')
  const link = element('a', { href, target: '_blank' }, 'Open your session')
  const hint = element('p', { class: 'hint' }, 'Each request and its explanation, here or on another screen')
  return element('div', { class: 'dashboard-link' }, element('div', {}, link, hint), code)
}
