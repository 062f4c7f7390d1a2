import { toJsonStream } from '../admin/json-stream.ts'
import { toCookiePaths } from '../admin/request.ts'
import type { AdminRequest } from '../admin/request.ts'
import { Problem, problem } from '../errors.ts'
import { wantsPage } from '../http/accept.ts'
import { toJson } from '../http/json-response.ts'
import { writeHar } from '../journal/har.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import { VERSION } from '../version.ts'
import { expectUnchanged } from './edit-conflict.ts'
import { readForm } from './form.ts'
import type { CallsForm, ThemeForm, TryForm, UndoForm } from './form.ts'
import type { Notice } from './notice.ts'
import { createNotices } from './notices.ts'
import { toPageStream } from './page-text.ts'
import { Content, Frame } from './page.tsx'
import type { DashboardParts } from './parts.ts'
import { keepProject } from './projects.ts'
import { readPlace } from './place.ts'
import { listEntries, toListPage } from './rows.ts'
import { toPageHeaders } from './security.ts'
import { createViewContext } from './view-context.ts'
import type { ViewContext } from './view-context.ts'
import { prepareCall } from './admin-call.ts'
import type { AdminCall, PreparedCall } from './admin-call.ts'
import { readTheme, toThemeCookie } from './theme.ts'
import { tryOut } from './try.ts'
import { expectNewSnapshot } from './snapshot-conflict.ts'
import { keepRequest, keepUndo } from './undo.ts'
import type { Undo } from './undo.ts'

/** The dashboard, once someone asked for it. */
export interface Dashboard {
  /** A page, as the address asks for it. */
  show(request: AdminRequest): Promise<Response>
  /** Does what a form asks for, and leads to the page that says so. */
  act(request: AdminRequest): Promise<Response>
  /** What the list of requests begins with, newest first. */
  listRows(request: AdminRequest): Response
  /** What the list has, as HAR. */
  toHar(request: AdminRequest): Response
}

/** A browser needs so many milliseconds at least to begin a process for a page, and paints no part of what came meanwhile first. */
const PROCESS_START = 50

/** How long a page's frame is ahead of its content: a page that is opened from another one of the mock has its process. */
const findHeadStart = (asked: Headers): number =>
  ['same-origin', null].includes(asked.get('Sec-Fetch-Site')) ? 0 : PROCESS_START

/** Leads back to where a form was sent from, with more parameters (RFC 9110, section 15.4.4). */
function lead(request: AdminRequest, more: Readonly<Record<string, string>>): Response {
  const { home, query } = readPlace(request)
  const to = new URLSearchParams({ ...Object.fromEntries(query), ...more })
  return new Response(null, { status: 303, headers: { Location: to.size === 0 ? home : `${home}?${to}` } })
}

/** Leads back to the same page in other colours. */
function recolour(request: AdminRequest, { theme }: ThemeForm): Response {
  const response = lead(request, {})
  for (const path of toCookiePaths(request.prefix)) {
    response.headers.append('Set-Cookie', toThemeCookie(theme, path))
  }
  return response
}

/** About how many bytes an undo keeps, by the calls that it would make now; 0 for one that is refused. */
function bytesOf(undo: Undo, context: ViewContext): number {
  try {
    return 2 * undo(context).join('').length
  } catch (fault) {
    if (fault instanceof Problem) return 0
    throw fault
  }
}

/** Opens the dashboard. */
export function openDashboard(parts: DashboardParts): Dashboard {
  const notices = createNotices()

  async function render(request: AdminRequest, notice: Notice | undefined, status: number): Promise<Response> {
    const context = createViewContext(parts, readPlace(request), request, notice)
    if (context.place.view === 'data') keepProject(context)
    const page = await toPageStream(
      (content) => (
        <Frame context={context} theme={readTheme(request.headers)}>
          {content}
        </Frame>
      ),
      () => <Content context={context} />,
      findHeadStart(request.headers),
    )
    return new Response(page, { status, headers: toPageHeaders(request.headers) })
  }

  /** Sends the request that a form describes, and leads to what came of it. */
  async function tryIt(request: AdminRequest, form: TryForm): Promise<Response> {
    const { fields } = form
    const context = createViewContext(parts, readPlace(request), request)
    const toUndo = keepRequest(context, { baseUrl: '', projectKey: fields.get('path.projectKey') ?? '' })
    const entry = await tryOut(form, context)
    const undo = toUndo(entry)
    const number = undo === undefined ? undefined : notices.keepUndo(request.session, undo, bytesOf(undo, context))
    return lead(request, { request: entry?.id ?? '-', done: notices.keep({ kind: 'tried', fields, undo: number }) })
  }

  /** Makes the admin calls of a form, one after the other. */
  async function run(request: AdminRequest, { calls, fields }: CallsForm): Promise<Response> {
    const context = createViewContext(parts, readPlace(request), request)
    const sessions = fields.get('in') === EVERY_SESSION ? [...parts.sessions.all()] : [request.session]
    const prepare = (call: AdminCall, session = request.session): PreparedCall =>
      prepareCall(call, fields, { ...request, session }, parts.api)
    let bytes = 0
    const undos: Undo[] = []
    for (const call of sessions.flatMap((session) => calls.map((one) => prepare(one, session)))) {
      const toUndo = fields.has('undo') ? await keepUndo(call, context, async (one) => prepare(one).run()) : undefined
      expectUnchanged(call, fields, context)
      expectNewSnapshot(call, fields, context)
      await call.run()
      if (toUndo === undefined) continue
      const undo = toUndo()
      undos.push(undo)
      bytes += bytesOf(undo, context)
    }
    const text = fields.get('done') ?? 'Done.'
    if (undos.length === 0) return tell(request, text)
    return tell(
      request,
      text,
      notices.keepUndo(request.session, (then) => undos.flatMap((one) => one(then)), bytes),
    )
  }

  /** Undoes a change. */
  async function takeBack(request: AdminRequest, { number, fields }: UndoForm): Promise<Response> {
    const undo = notices.findUndo(request.session, number)
    if (undo === undefined) {
      throw problem.invalidInput(
        'This can no longer be undone: it already was, or too many or too large changes followed.',
      )
    }
    const calls = undo(createViewContext(parts, readPlace(request), request))
    for (const call of calls) await prepareCall(call, fields, request, parts.api).run()
    notices.dropUndo(number)
    return tell(request, 'Undone.')
  }

  /** Leads back to where a form was sent from, where it is told what was done. */
  function tell(request: AdminRequest, text: string, undo?: string): Response {
    return lead(request, { done: notices.keep({ kind: 'done', text, undo }) })
  }

  /** Does what a form asks for. What fails is told on the page that it was sent from. */
  async function fulfil(request: AdminRequest, form: CallsForm | TryForm | UndoForm): Promise<Response> {
    try {
      if (form.kind === 'try') return await tryIt(request, form)
      return await (form.kind === 'undo' ? takeBack(request, form) : run(request, form))
    } catch (fault) {
      if (!(fault instanceof Problem) || !wantsPage(request.headers)) throw fault
      return render(request, { kind: 'failed', problem: fault, fields: form.fields }, fault.status)
    }
  }

  return {
    toHar(request) {
      const entries = [...listEntries(createViewContext(parts, readPlace(request), request))].toReversed()
      return toJsonStream(writeHar(entries, { name: 'resource-mock', version: VERSION }))
    },
    listRows: (request) => toJson(toListPage(createViewContext(parts, readPlace(request), request))),
    async show(request) {
      const notice = notices.take(request.query.get('done'))
      request.query.delete('done')
      return render(request, notice, 200)
    },
    async act(request) {
      const form = await readForm(request)
      return form.kind === 'theme' ? recolour(request, form) : fulfil(request, form)
    },
  }
}
