import type { TestInfo } from '@playwright/test'

/** How long a test waits for its share file, in milliseconds. */
const TIMEOUT = 10_000

/**
 * Attaches a page to the report of a test that shows what the mock saw of it, without a mock. A mock that cannot create it,
 * such as an older version, must not fail the test.
 *
 * @param session the name of the test's session, which still exists
 */
export async function attachShareFile(
  testInfo: TestInfo,
  mock: { readonly url: string; readonly adminToken?: string | undefined },
  session: string,
): Promise<void> {
  const headers = new Headers()
  if (mock.adminToken !== undefined) headers.set('Authorization', `Bearer ${mock.adminToken}`)
  const url = `${mock.url}/__admin/share.html?session=${encodeURIComponent(session)}`
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT) }).catch(() => undefined)
  if (response?.ok !== true) return
  await testInfo.attach('mock.html', { body: await response.text(), contentType: 'text/html' })
}
