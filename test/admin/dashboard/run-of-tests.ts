import type { Send } from './visit.ts'
import { TABLE, update } from './visit.ts'

/** How many tests a run has, on how many workers, and which of them fail: every one with this number. */
export const RUN = { tests: 200, workers: 4, failing: 20 }

/** Reports a run of tests to a mock. Every twentieth test meets a conflict, does not retry, and fails. */
export async function reportRun(
  send: Send,
  run: string,
  { tests = RUN.tests, failing = RUN.failing }: { readonly tests?: number; readonly failing?: number } = {},
): Promise<void> {
  for (let number = 0; number < tests; number += 1) {
    const session = `${run}-test-${number}`
    const test = {
      run,
      title: ['shop', `saves product ${number}`],
      file: 'shop.spec.ts',
      line: 12,
      worker: number % RUN.workers,
    }
    const put = (json: object) => send('PUT', `/__admin/sessions/${session}/test`, { json })
    await put(test)
    const headers = { 'X-Mock-Session': session }
    const hasFailed = number % failing === failing - 1
    if (hasFailed) await send('PUT', '/__admin/scenarios/active/conflict', { headers })
    await send('GET', `/acme/resource/${TABLE}`, { headers })
    await update(send, 3, headers)
    const error = 'Error: expect(received).toBe(expected)\n\nExpected: 200\nReceived: 409'
    await put({ ...test, duration: 120, ...(hasFailed ? { status: 'failed', error } : { status: 'passed' }) })
    await send('DELETE', `/__admin/sessions/${session}`)
  }
}
