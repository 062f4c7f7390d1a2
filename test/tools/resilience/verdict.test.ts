import { expect, it } from 'vitest'
import { judge } from '../../../src/tools/resilience/verdict.ts'
import type { Evidence, Verdict } from '../../../src/tools/resilience/verdict.ts'

const nothing: Evidence = { status: 'failed', errors: [], hasPage: true, isEmpty: false, isAnswering: true, said: [] }

const silent =
  'The test failed, and no alert, status or dialog of the page said why. If the page says it elsewhere, select that with --told.'

it.each<readonly [Partial<Evidence>, Verdict, string]>([
  [{ status: 'passed' }, 'survived', 'The test passed.'],
  [{ status: 'passed', errors: ['x'], said: ['alert: x'] }, 'survived', 'The test passed.'],
  [{ status: 'passed', lost: 'A change is lost.' }, 'overwrote', 'A change is lost.'],
  [{ status: 'passed', doubled: 'It was done twice.' }, 'doubled', 'It was done twice.'],
  [{ said: ['alert: Not saved.'] }, 'told', 'The page said "alert: Not saved.".'],
  [{ status: 'timedOut', said: ['alert: Not saved.'] }, 'told', 'The page said "alert: Not saved.".'],
  [{ errors: ['x is undefined'] }, 'broken', 'The page threw an uncaught error: x is undefined'],
  [{ errors: ['x'], said: ['alert: Oops.'] }, 'broken', 'The page threw an uncaught error: x It said "alert: Oops.".'],
  [
    { storm: { operation: 'getAction', requests: 11 } },
    'broken',
    'The app sent getAction 11 times more than without the failure.',
  ],
  [{ isAnswering: false }, 'broken', 'The page no longer responds.'],
  [{ isEmpty: true }, 'broken', 'The page is empty.'],
  [{ busy: '<main>', said: ['status: Loading…'] }, 'broken', 'The page was still busy at the end: <main>.'],
  [{ said: ['status: Loading…'] }, 'broken', silent],
  [{ said: ['status: Retrying...', 'alert: Offline.'] }, 'told', 'The page said "alert: Offline.".'],
  [{ said: ['status: Retried.', 'alert: Offline.'] }, 'told', 'The page said "alert: Offline.".'],
  [{}, 'broken', silent],
  [{ hasPage: false }, 'broken', 'The test failed, and it opened no page that could tell the user.'],
])('judges %o as %s', (evidence, verdict, why) => {
  expect(judge({ ...nothing, ...evidence })).toEqual({ verdict, why })
})
