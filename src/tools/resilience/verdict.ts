import type { TestStatus } from '../../sessions/session-test.ts'

/** How an app can cope with a failure, best first. */
export const verdicts = ['survived', 'unnoticed', 'told', 'broken', 'overwrote', 'doubled'] as const

export type Verdict = (typeof verdicts)[number]

/** Requests of one operation beyond those without the failure; more are a storm. */
export const MOST_REQUESTS = 10

/** What could be seen of a variant. Texts, errors and requests that were there without the failure, too, are left out. */
export interface Evidence {
  readonly status: TestStatus
  /** The lost change of another writer, as a sentence. */
  readonly lost?: string | undefined
  /** What was created or posted twice, as a sentence. */
  readonly doubled?: string | undefined
  /** Uncaught errors and unhandled rejections. */
  readonly errors: readonly string[]
  /** The operation with more than {@link MOST_REQUESTS} additional requests. */
  readonly storm?: { readonly operation: string; readonly requests: number } | undefined
  /** Whether the test opened a page. */
  readonly hasPage: boolean
  /** Whether a page was empty at the end. */
  readonly isEmpty: boolean
  /** Whether all pages still answered at the end. */
  readonly isAnswering: boolean
  /** What showed at the end that the page was busy, such as `<main aria-busy>`. */
  readonly busy?: string | undefined
  /** What the page said to the user, such as `alert: Not saved.`, oldest first. */
  readonly said: readonly string[]
}

/** Whether a text only says that something is going on, such as `status: Loading…`. */
export const isProgress = (text: string): boolean => /(?:…|\.{3})$/.test(text)

/** Finds what is broken, after a test that failed. */
function findBroken({ errors, storm, isEmpty, isAnswering, busy }: Evidence): string | undefined {
  const [error] = errors
  if (error !== undefined) return `The page threw an uncaught error: ${error}`
  if (storm !== undefined)
    return `The app sent ${storm.operation} ${storm.requests} times more than without the failure.`
  if (!isAnswering) return 'The page no longer responds.'
  if (isEmpty) return 'The page is empty.'
  return busy === undefined ? undefined : `The page was still busy at the end: ${busy}.`
}

/** Judges a variant by what could be seen. */
export function judge(evidence: Evidence): { readonly verdict: Verdict; readonly why: string } {
  const { status, lost, doubled, hasPage, said } = evidence
  if (lost !== undefined) return { verdict: 'overwrote', why: lost }
  if (doubled !== undefined) return { verdict: 'doubled', why: doubled }
  if (status === 'passed') return { verdict: 'survived', why: 'The test passed.' }
  const broken = findBroken(evidence)
  // The last one says how it ended.
  const told = said.findLast((text) => !isProgress(text))
  const also = told === undefined ? '' : ` It said ${JSON.stringify(told)}.`
  if (broken !== undefined) return { verdict: 'broken', why: `${broken}${also}` }
  if (told !== undefined) return { verdict: 'told', why: `The page said ${JSON.stringify(told)}.` }
  const silence = hasPage
    ? 'no alert, status or dialog of the page said why. If the page says it elsewhere, select that with --told.'
    : 'it opened no page that could tell the user.'
  return { verdict: 'broken', why: `The test failed, and ${silence}` }
}
