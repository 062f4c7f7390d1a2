import { ADMIN_PATH, toJson } from '../admin/route.ts'
import type { AdminRequest } from '../admin/route.ts'
import { Problem } from '../errors.ts'
import { createNotices } from './notice.ts'
import type { Notice } from './notice.ts'
import { toPageText } from './page-text.ts'
import { Page } from './page.tsx'
import type { DashboardParts } from './parts.ts'
import type { Theme } from './parts/sidebar.tsx'
import { readPlace } from './place.ts'
import { listRows } from './rows.ts'
import { pageHeaders } from './security.ts'
import { createShow } from './show.ts'
import { runStep } from './step.ts'
import { tryOut } from './try.ts'
import { isOperation } from './verdict.ts'
import { ViewOf } from './views/view.tsx'

/** The dashboard, once someone asked for it. */
export interface Dashboard {
  /** A page, as the address asks for it. */
  show(request: AdminRequest): Promise<Response>
  /** Does what a form asks for, and leads to the page that says so. */
  act(request: AdminRequest): Promise<Response>
  /** What the list of requests begins with, newest first. */
  listRows(request: AdminRequest): Response
}

const THEME = 'mock-theme'

function readTheme(headers: Headers): Theme {
  const kept = new RegExp(`(?:^|;\\s*)${THEME}=(light|dark)`).exec(headers.get('Cookie') ?? '')?.[1]
  return kept === 'light' || kept === 'dark' ? kept : 'auto'
}

/** What keeps the colours that someone chose, so that no page is painted in others first. */
const toThemeCookie = (theme: string, { prefix }: AdminRequest): string =>
  `${THEME}=${encodeURIComponent(theme)}; Path=${prefix}${ADMIN_PATH}; SameSite=Strict; Max-Age=31536000`

/** Leads back to where a form was sent from, with more parameters (RFC 9110, section 15.4.4). */
function lead(request: AdminRequest, more: Readonly<Record<string, string>>): Response {
  const { home, query } = readPlace(request)
  const to = new URLSearchParams({ ...Object.fromEntries(query), ...more })
  return new Response(null, { status: 303, headers: { Location: to.size === 0 ? home : `${home}?${to}` } })
}

/** Opens the dashboard. */
export function openDashboard(parts: DashboardParts): Dashboard {
  const notices = createNotices()

  async function render(request: AdminRequest, notice: Notice | undefined, status: number): Promise<Response> {
    const show = createShow(parts, readPlace(request), request, notice)
    const page = (
      <Page show={show} theme={readTheme(request.headers)}>
        <ViewOf show={show} />
      </Page>
    )
    return new Response(await toPageText(page), { status, headers: pageHeaders })
  }

  /** Sends the request that a form describes, and leads to what came of it. */
  async function tryIt(request: AdminRequest, fields: URLSearchParams): Promise<Response> {
    const operation = fields.get('try') ?? undefined
    const show = createShow(parts, readPlace(request), request)
    const entry = isOperation(operation) ? await tryOut(operation, fields, show) : undefined
    return lead(request, { request: entry?.id ?? '-', done: notices.keep({ kind: 'tried', fields }) })
  }

  /** Does the steps of a form, one after the other. */
  async function run(request: AdminRequest, fields: URLSearchParams): Promise<Response> {
    try {
      for (const step of fields.getAll('step')) await runStep(step, fields, request, parts.routes)
    } catch (fault) {
      if (!(fault instanceof Problem)) throw fault
      return render(request, { kind: 'failed', problem: fault, fields }, fault.status)
    }
    const text = fields.get('done') ?? 'Done.'
    return lead(request, { done: notices.keep({ kind: 'done', text, undo: fields.getAll('undo') }) })
  }

  return {
    listRows: (request) => toJson(listRows(createShow(parts, readPlace(request), request))),
    async show(request) {
      const notice = notices.take(request.query.get('done'))
      request.query.delete('done')
      return render(request, notice, 200)
    },
    async act(request) {
      const fields = new URLSearchParams(await request.readText())
      const theme = fields.get('theme')
      if (fields.has('try')) return tryIt(request, fields)
      if (theme === null) return run(request, fields)
      const response = lead(request, {})
      response.headers.set('Set-Cookie', toThemeCookie(theme, request))
      return response
    },
  }
}
