import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { useBrowser } from '../../admin/dashboard/visit.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { runPlaywrightSuite } from './run-playwright.ts'

const config = fileURLToPath(new URL('suite/counted.config.ts', import.meta.url))

describeInChromium('the tests of a Playwright run', () => {
  const visit = useBrowser()

  it('are counted by the API and the dashboard as the runner counts them', { timeout: 600_000 }, async () => {
    const { page, go, send, server } = await visit({ maxSessions: 1000 })
    const { runs: results, counts } = await runPlaywrightSuite(config, { MOCK_URL: server.url })
    expect(counts).toMatchObject({ expected: 190, unexpected: 2, flaky: 4, skipped: 4 })
    const { runs } = JSON.parse((await send('GET', '/__admin/runs')).text) as { readonly runs: readonly object[] }
    expect(runs).toMatchObject([
      {
        counts: {
          tests: 200,
          passed: counts.expected,
          failed: counts.unexpected,
          flaky: counts.flaky,
          skipped: counts.skipped,
          attempts: results.length,
        },
      },
    ])
    await go('?view=board')
    const filters = page.getByRole('group', { name: 'Filter tests' }).getByRole('button')
    await expectPage(filters).toHaveText(['all 200', 'failed 2', 'flaky 4', 'passed 190', 'skipped 4'])
    await expectPage(page.getByRole('button', { name: '409 not retried 6 tests' })).toBeVisible()
    await expectPage(page.getByText('200 tests, 2 failed, 4 flaky')).toBeVisible()
    await page.getByRole('button', { name: 'flaky 4' }).click()
    await expectPage(page.getByRole('table', { name: 'Tests' })).toHaveAttribute('aria-rowcount', '5')
    await expectPage(page.getByText('4 of 200 tests, 4 flaky')).toBeVisible()
  })
})
