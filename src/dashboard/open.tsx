import { toJsonStream } from '../admin/json-stream.ts'
import { toCookiePaths, toJson } from '../admin/route.ts'
import type { AdminRequest } from '../admin/route.ts'
import { Problem, problem } from '../errors.ts'
import { writeHar } from '../journal/har.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import { VERSION } from '../version.ts'
import { expectUnchanged } from './edit-conflict.ts'
import { readForm } from './form.ts'
import type { StepsForm, ThemeForm, TryForm, UndoForm } from './form.ts'
import { createNotices } from './notice.ts'
import type { Notice } from './notice.ts'
import { toPageStream } from './page-text.ts'
import { Content, Frame } from './page.tsx'
import type { DashboardParts } from './parts.ts'
import { keepProject } from './projects.ts'
import { readPlace } from './place.ts'
import { listEntries, toListPage } from './rows.ts'
import { toPageHeaders } from './security.ts'
import { createShow } from './show.ts'
import { toCall } from './step.ts'
import type { Call, Step } from './step.ts'
import { readTheme, toThemeCookie } from './theme.ts'
import { tryOut } from './try.ts'
import { keepRequest } from './resource-undo.ts'
import { expectNewSnapshot } from './snapshot-conflict.ts'
import { keepUndo } from './undo.ts'
import type { Undo } from './undo.ts'
import { wantsPage } from './wants-page.ts'

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

/** Opens the dashboard. */
export function openDashboard(parts: DashboardParts): Dashboard {
  const notices = createNotices()

  async function render(request: AdminRequest, notice: Notice | undefined, status: number): Promise<Response> {
    const show = createShow(parts, readPlace(request), request, notice)
    if (show.place.view === 'data') keepProject(show)
    const page = await toPageStream(
      (content) => (
        <Frame show={show} theme={readTheme(request.headers)}>
          {content}
        </Frame>
      ),
      () => <Content show={show} />,
      findHeadStart(request.headers),
    )
    return new Response(page, { status, headers: toPageHeaders(request.headers) })
  }

  /** Sends the request that a form describes, and leads to what came of it. */
  async function tryIt(request: AdminRequest, form: TryForm): Promise<Response> {
    const { fields } = form
    const show = createShow(parts, readPlace(request), request)
    const toUndo = keepRequest(show, { baseUrl: '', projectKey: fields.get('path.projectKey') ?? '' })
    const entry = await tryOut(form, show)
    const undo = toUndo(entry)
    const number = undo === undefined ? undefined : notices.keepUndo(request.session, undo)
    return lead(request, { request: entry?.id ?? '-', done: notices.keep({ kind: 'tried', fields, undo: number }) })
  }

  /** Does the steps of a form, one after the other. */
  async function run(request: AdminRequest, { steps, fields }: StepsForm): Promise<Response> {
    const show = createShow(parts, readPlace(request), request)
    const sessions = fields.get('in') === EVERY_SESSION ? [...parts.sessions.all()] : [request.session]
    const toStep = (step: Step, session = request.session): Call =>
      toCall(step, fields, { ...request, session }, parts.routes)
    const undos: Undo[] = []
    for (const call of sessions.flatMap((session) => steps.map((step) => toStep(step, session)))) {
      const toUndo = fields.has('undo') ? await keepUndo(call, show, async (step) => toStep(step).run()) : undefined
      expectUnchanged(call, fields, show)
      expectNewSnapshot(call, fields, show)
      await call.run()
      if (toUndo !== undefined) undos.push(toUndo())
    }
    const text = fields.get('done') ?? 'Done.'
    return undos.length === 0 ? tell(request, text) : tell(request, text, (then) => undos.flatMap((one) => one(then)))
  }

  /** Takes a change back. */
  async function takeBack(request: AdminRequest, { number, fields }: UndoForm): Promise<Response> {
    const undo = notices.findUndo(request.session, number)
    if (undo === undefined) {
      throw problem.invalidInput('This can no longer be undone: it already was, or too many changes followed.')
    }
    const steps = undo(createShow(parts, readPlace(request), request))
    for (const step of steps) await toCall(step, fields, request, parts.routes).run()
    notices.dropUndo(number)
    return tell(request, 'Undone.')
  }

  /** Leads back to where a form was sent from, where it is told what was done. */
  function tell(request: AdminRequest, text: string, undo?: Undo): Response {
    const number = undo === undefined ? undefined : notices.keepUndo(request.session, undo)
    return lead(request, { done: notices.keep({ kind: 'done', text, undo: number }) })
  }

  /** Does what a form asks for. What fails is told on the page that it was sent from. */
  async function fulfil(request: AdminRequest, form: StepsForm | TryForm | UndoForm): Promise<Response> {
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
      const entries = [...listEntries(createShow(parts, readPlace(request), request))].toReversed()
      return toJsonStream(writeHar(entries, { name: 'resource-mock', version: VERSION }))
    },
    listRows: (request) => toJson(toListPage(createShow(parts, readPlace(request), request))),
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
