import { toJsonStream } from '../admin/state.ts'
import { toCookiePaths } from '../admin/request.ts'
import type { AdminRequest } from '../admin/request.ts'
import { resend } from '../admin/requests.ts'
import { Problem, problem } from '../errors.ts'
import { wantsPage } from '../http/request-head.ts'
import { writeList } from '../http/json-list.ts'
import { writeHar } from '../journal/har.ts'
import { readEntries } from '../journal/record.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import { VERSION } from '../version.ts'
import { expectUnchanged, expectNewSnapshot } from './edit-conflict.ts'
import { readForm } from './form.ts'
import type { CallsForm, ResendForm, ThemeForm, TryForm, UndoForm } from './form.ts'
import type { Notice } from './notice.ts'
import { createNotices } from './notices.ts'
import { toPageStream } from './page-text.ts'
import { Content, Frame } from './page.tsx'
import type { DashboardParts, ViewContext } from './view-context.ts'
import { keepProject } from './projects.ts'
import { readPlace } from './place.ts'
import { readChanges } from './resend.ts'
import { findEntry, listExchanges, toListPage } from './rows.ts'
import { toPageHeaders } from './security.ts'
import { createViewContext } from './view-context.ts'
import { prepareCall } from './admin-call.ts'
import type { AdminCall, PreparedCall } from './admin-call.ts'
import { readTheme, toThemeCookie } from './theme.ts'
import { tryOut } from './try.ts'
import { keepRequest, keepUndo } from './undo.ts'
import type { UndoCalls } from './undo.ts'

/** The dashboard, loaded with the first request for it. */
export interface Dashboard {
  /** Renders a page. */
  show(request: AdminRequest): Promise<Response>
  /** Runs a form, and redirects to the page that shows the result. */
  act(request: AdminRequest): Promise<Response>
  /** The rows of the list of requests, newest first. */
  listRows(request: AdminRequest): Promise<Response>
  /** The requests of the list as HAR. */
  toHar(request: AdminRequest): Response
}

/** Milliseconds that a browser needs to start a process; it would paint nothing that arrives earlier on its own. */
const PROCESS_START = 50

/** How long to send the frame before the content. A page opened from the mock itself already has its process. */
const findHeadStart = (asked: Headers): number =>
  ['same-origin', null].includes(asked.get('Sec-Fetch-Site')) ? 0 : PROCESS_START

/** Redirects to the page of the form, with more parameters (RFC 9110, section 15.4.4). */
function lead(request: AdminRequest, more: Readonly<Record<string, string>>): Response {
  const { home, query } = readPlace(request)
  const to = new URLSearchParams({ ...Object.fromEntries(query), ...more })
  return new Response(null, { status: 303, headers: { Location: to.size === 0 ? home : `${home}?${to}` } })
}

function recolour(request: AdminRequest, { theme }: ThemeForm): Response {
  const response = lead(request, {})
  for (const path of toCookiePaths(request.prefix)) {
    response.headers.append('Set-Cookie', toThemeCookie(theme, path))
  }
  return response
}

/** About how many bytes an undo keeps: the size of its calls; 0 for one that is refused. */
function bytesOf(undo: UndoCalls, context: ViewContext): number {
  try {
    return 2 * undo(context).join('').length
  } catch (fault) {
    if (fault instanceof Problem) return 0
    throw fault
  }
}

export function openDashboard(parts: DashboardParts): Dashboard {
  const notices = createNotices()

  async function render(request: AdminRequest, notice: Notice | undefined, status: number): Promise<Response> {
    const context = createViewContext(parts, readPlace(request), request, notice)
    if (context.place.view === 'data') await keepProject(context)
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

  /** Sends the request that a form describes, and redirects to its result. */
  async function tryIt(request: AdminRequest, form: TryForm): Promise<Response> {
    const { fields } = form
    const context = createViewContext(parts, readPlace(request), request)
    const toUndo = keepRequest(context, { baseUrl: '', projectKey: fields.get('path.projectKey') ?? '' })
    const entry = await tryOut(form, context)
    const undo = toUndo(entry)
    const number = undo === undefined ? undefined : notices.keepUndo(request.session, undo, bytesOf(undo, context))
    return lead(request, { request: entry?.id ?? '-', done: notices.keep({ kind: 'tried', fields, undo: number }) })
  }

  /** Sends a request of the journal again, and redirects to the new one. */
  async function sendAgain(request: AdminRequest, { id, fields }: ResendForm): Promise<Response> {
    const context = createViewContext(parts, readPlace(request), request)
    const entry = findEntry(context, id)
    if (entry === undefined) throw problem.notFound('The journal no longer has this request. Send a newer one again.')
    const session = parts.sessions.find(entry.session) ?? request.session
    const { id: sent } = await resend(entry, readChanges(entry, fields), session, parts)
    return lead(request, { request: sent, done: notices.keep({ kind: 'done', text: 'Sent again.', undo: undefined }) })
  }

  /** Runs the admin calls of a form in order. */
  async function run(request: AdminRequest, { calls, fields }: CallsForm): Promise<Response> {
    const context = createViewContext(parts, readPlace(request), request)
    const sessions = fields.get('in') === EVERY_SESSION ? [...parts.sessions.all()] : [request.session]
    const prepare = (call: AdminCall, session = request.session): PreparedCall =>
      prepareCall(call, fields, { ...request, session }, parts.api)
    let bytes = 0
    const undos: UndoCalls[] = []
    for (const call of sessions.flatMap((session) => calls.map((one) => prepare(one, session)))) {
      const toUndo = fields.has('undo') ? await keepUndo(call, context, async (one) => prepare(one).run()) : undefined
      const precondition = (): void => expectUnchanged(call, fields, context)
      precondition()
      expectNewSnapshot(call, fields, context)
      await call.run(precondition)
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
        'Cannot undo: this was already undone, newer changes have replaced it, or it was done at another mock or before a restart. Edit it under Data, or restore a snapshot.',
      )
    }
    const calls = undo(createViewContext(parts, readPlace(request), request))
    for (const call of calls) await prepareCall(call, fields, request, parts.api).run()
    notices.dropUndo(number)
    return tell(request, 'Undone.')
  }

  /** Redirects to the page of the form, which says what was done. */
  function tell(request: AdminRequest, text: string, undo?: string): Response {
    return lead(request, { done: notices.keep({ kind: 'done', text, undo }) })
  }

  /** Runs a form. Errors are shown on the page that it came from. */
  async function fulfil(request: AdminRequest, form: CallsForm | TryForm | ResendForm | UndoForm): Promise<Response> {
    try {
      if (form.kind === 'try') return await tryIt(request, form)
      if (form.kind === 'resend') return await sendAgain(request, form)
      return await (form.kind === 'undo' ? takeBack(request, form) : run(request, form))
    } catch (fault) {
      if (!(fault instanceof Problem) || !wantsPage(request.headers)) throw fault
      return render(request, { kind: 'failed', problem: fault, fields: form.fields }, fault.status)
    }
  }

  return {
    toHar(request) {
      const exchanges = listExchanges(createViewContext(parts, readPlace(request), request))
      const creator = { name: 'resource-mock', version: VERSION }
      return toJsonStream(writeHar(readEntries(exchanges, parts.elapsed), creator))
    },
    async listRows(request) {
      const { rows, ...others } = await toListPage(createViewContext(parts, readPlace(request), request))
      return toJsonStream(
        writeList(
          'rows',
          rows,
          (row) => row,
          () => others,
        ),
      )
    },
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
