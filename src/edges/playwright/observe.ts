import type { BrowserContext, Page, Request } from '@playwright/test'
import { SetupError } from '../../errors.ts'
import { showValue } from '../../service/http/json.ts'
import { toTarget } from '../../sessions/journal/target.ts'
import type { JournalEntry } from '../../sessions/journal/wiremock-json.ts'

/** What the page script calls to report what it sees. */
const BINDING = '__resourceMockSeen'

/** How long a page has to answer, in milliseconds. */
const ANSWER_TIMEOUT = 2000
/** How long the page of a failed test has to react, in milliseconds. */
const REACTION_TIMEOUT = 3000
const PAUSE = 100

/** What a page reports: a text that it shows, input of the user, or that the selector is invalid. */
type Report = 'said' | 'input' | 'invalid'

interface WatchOptions {
  readonly binding: string
  /** A selector of further elements that speak to the user. */
  readonly told: string | undefined
}

// The functions that run in pages contain everything they call.
/* oxlint-disable unicorn/consistent-function-scoping */

/** Runs in each page: reports what it says to the user, and the user's input. */
function watchPage({ binding, told: asked }: WatchOptions): void {
  // The binding of `exposeBinding`.
  const report = Reflect.get(globalThis, binding) as (kind: Report, text: string) => Promise<void>
  function findSelector(text: string): string | undefined {
    try {
      document.createDocumentFragment().querySelector(text)
      return text
    } catch {
      void report('invalid', text)
      return undefined
    }
  }
  const told = asked === undefined ? undefined : findSelector(asked)
  // A test may replace the clock later.
  const repeat = globalThis.setInterval.bind(globalThis)
  const invalid = '[aria-invalid]:not([aria-invalid="false"])'
  const roles = ['alert', 'alertdialog', 'status', 'dialog'].map((role) => `[role="${role}"]`)
  const selector = [...roles, 'dialog[open]', 'output', invalid, ...(told === undefined ? [] : [told])].join(',')
  const known = new Set<string>()
  const toText = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 200)

  function describe(element: HTMLElement): string {
    if (told !== undefined && element.matches(told)) return `${told}: ${toText(element.innerText)}`
    if (element.matches(invalid)) {
      const [label] = 'labels' in element ? [...((element.labels as NodeListOf<HTMLElement> | null) ?? [])] : []
      return `aria-invalid: ${toText(element.getAttribute('aria-label') ?? label?.innerText ?? element.getAttribute('name') ?? element.id)}`
    }
    const role = element.getAttribute('role') ?? (element.localName === 'dialog' ? 'dialog' : 'status')
    const text = toText(element.innerText)
    return text === '' ? '' : `${role}: ${text}`
  }

  function look(root: ParentNode): void {
    for (const element of root.querySelectorAll<HTMLElement>('*')) {
      if (element.shadowRoot !== null) look(element.shadowRoot)
      if (!element.matches(selector)) continue
      const line = element.checkVisibility({ visibilityProperty: true }) ? describe(element) : ''
      if (line === '' || known.has(line) || known.size > 200) continue
      known.add(line)
      void report('said', line)
    }
  }

  // Shorter than anybody can read. An observer would miss shadow roots that are attached later.
  repeat(() => look(document), 50)
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(type, ({ isTrusted }) => void (isTrusted && report('input', type)), { capture: true })
}

/** The state of a page, as the user sees it. */
interface PageState {
  readonly isEmpty: boolean
  readonly busy: string | undefined
}

/** Runs in a page. */
function lookAtPage(): PageState {
  const isVisible = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })
  const find = (selector: string): Element | undefined => [...document.querySelectorAll(selector)].find(isVisible)
  const spinner = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations === Infinity)
    .flatMap(({ effect }) => (effect instanceof KeyframeEffect ? (effect.target ?? []) : []))
    .find(isVisible)
  const element =
    find('[aria-busy="true"], [role="progressbar"]:not([aria-valuenow]), progress:not([value])') ?? spinner
  const text = document.body?.innerText.trim() ?? ''
  const isEmpty = text === '' && find('img, svg, canvas, video, iframe, input, button') === undefined
  const name = element?.getAttribute('class') ?? ''
  return {
    isEmpty: isEmpty && location.href !== 'about:blank',
    busy: element === undefined ? undefined : `<${element.localName}${name === '' ? '' : ` class="${name}"`}>`,
  }
}

/* oxlint-enable unicorn/consistent-function-scoping */

type PageEvent = { readonly kind: 'input' } | { readonly kind: 'request' | 'response'; readonly request: Request }

/** What was seen of the pages of a test. */
export interface Sight {
  readonly said: readonly string[]
  readonly errors: readonly string[]
  readonly hasPage: boolean
  readonly isEmpty: boolean
  readonly isAnswering: boolean
  readonly busy: string | undefined
  /** A JPEG image of the first page. */
  readonly screenshot: Buffer | undefined
}

const withTimeout = <Value>(answer: Promise<Value>): Promise<Value | undefined> =>
  Promise.race([answer, new Promise<undefined>((resolve) => setTimeout(resolve, ANSWER_TIMEOUT, undefined))])

/** Undefined if the page does not answer. */
const lookAt = (page: Page): Promise<PageState | undefined> =>
  // A page that is just navigating cannot be evaluated, but is not stuck.
  withTimeout(page.evaluate(lookAtPage).catch(() => ({ isEmpty: false, busy: undefined })))

/** Whether a page sent the request with this method and path, perhaps through a server that adds a prefix. */
const isAt = (request: Request, { method, url }: JournalEntry): boolean =>
  request.method() === method && new URL(request.url()).pathname.endsWith(toTarget(url).path)

/**
 * Observes the pages of a test: what they say to the user, their errors, their requests, and the user's input.
 *
 * @param told a selector of further elements that speak to the user
 */
export function createObserver(told: string | undefined) {
  const contexts: BrowserContext[] = []
  const said = new Set<string>()
  const errors: string[] = []
  const events: PageEvent[] = []
  let last: Sight = {
    said: [],
    errors,
    hasPage: false,
    isEmpty: false,
    isAnswering: true,
    busy: undefined,
    screenshot: undefined,
  }

  let hasLooked = false
  /** Whether a page does not understand the selector. */
  let isInvalid = false

  const openPages = (): readonly Page[] =>
    contexts.flatMap((context) => context.pages()).filter((page) => !page.isClosed())

  async function look(): Promise<void> {
    const states = await Promise.all(openPages().map(lookAt))
    last = {
      ...last,
      said: [...said],
      hasPage: contexts.length > 0,
      isEmpty: states.some((state) => state?.isEmpty === true),
      isAnswering: !states.includes(undefined),
      busy: states.find((state) => state?.busy !== undefined)?.busy,
    }
  }

  /** The position in the events of the page's nth request like this one of the journal. */
  function findEvent(kind: 'request' | 'response', sent: JournalEntry, all: readonly JournalEntry[]): number {
    const same = all.filter(
      ({ method, url }) => method === sent.method && toTarget(url).path === toTarget(sent.url).path,
    )
    let left = same.indexOf(sent)
    return events.findIndex((event) => event.kind === kind && isAt(event.request, sent) && left-- === 0)
  }

  return {
    async watch(context: BrowserContext): Promise<void> {
      if (contexts.includes(context)) return
      contexts.push(context)
      context.on('weberror', (error) => void errors.push(error.error().message.split('\n')[0] ?? ''))
      context.on('request', (request) => void events.push({ kind: 'request', request }))
      context.on('response', (response) => void events.push({ kind: 'response', request: response.request() }))
      context.on('page', (page) => page.on('crash', () => void errors.push('The page crashed.')))
      await context.exposeBinding(BINDING, (_source, kind: Report, text: string) => {
        if (kind === 'said') said.add(text)
        else if (kind === 'input') events.push({ kind })
        else isInvalid = true
      })
      await context.addInitScript(watchPage, { binding: BINDING, told })
    },
    /**
     * Looks at the pages at the end of a test, before they are closed. Only the first look counts.
     *
     * @param hasReacted whether nothing more is expected; otherwise, the pages get some time to react
     */
    async lookAtEnd(hasReacted: (sight: Sight) => boolean, needsScreenshot: boolean): Promise<void> {
      if (hasLooked) return
      hasLooked = true
      await look()
      for (let waited = 0; !hasReacted(last) && waited < REACTION_TIMEOUT; waited += PAUSE) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE))
        await look()
      }
      const [page] = openPages()
      if (!needsScreenshot || page === undefined) return
      const options = { type: 'jpeg', quality: 60, timeout: ANSWER_TIMEOUT } as const
      last = { ...last, screenshot: await page.screenshot(options).catch(() => undefined) }
    },
    /** @throws {SetupError} for an invalid selector. */
    sight(): Sight {
      if (isInvalid) throw new SetupError(`--told is ${showValue(told)}, which is not a CSS selector. Correct it.`)
      return last
    },
    /** How many requests like this one of the journal the pages sent. */
    countLike: (sent: JournalEntry): number =>
      events.filter((event) => event.kind === 'request' && isAt(event.request, sent)).length,
    /** Whether there was input between the response to a request and a later request to the same place. */
    isDecided(all: readonly JournalEntry[], refused: JournalEntry, sent: JournalEntry): boolean {
      const [from, to] = [findEvent('response', refused, all), findEvent('request', sent, all)]
      return from !== -1 && to !== -1 && events.slice(from, to).some(({ kind }) => kind === 'input')
    },
  }
}

export type Observer = ReturnType<typeof createObserver>
