import type { TestInfo } from '@playwright/test'
import type { PageMock } from './page-mock.ts'

const toText = (value: unknown): string => JSON.stringify(value, null, 2)

/** Attaches what the mock was asked and answered to the report of a test: as JSON, and as HAR. */
export async function attachJournal(testInfo: TestInfo, mock: PageMock): Promise<void> {
  const [requests, har] = await Promise.all([mock.requests(), mock.journal.toHar()])
  const contentType = 'application/json'
  await testInfo.attach('mock-journal.json', { body: toText(requests), contentType })
  await testInfo.attach('mock-journal.har', { body: toText(har), contentType })
}
