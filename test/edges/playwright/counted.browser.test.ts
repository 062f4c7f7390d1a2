import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { useBrowser } from '../../admin/dashboard/visit.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { expectPage } from '../../support/expect-page.ts'
import { runPlaywrightSuite } from './run-playwright.ts'

const config = fileURLToPath(new URL('suite/counted.config.ts', import.meta.url))

describeInChromium('the tests of a Playwright run', () => {
  const visit = useBrowser()

  it('are counted by the API and the dashboard as the runner counts them', async () => {
    const { page, go, send, server } = await visit({ maxSessions: 1000 })
    const { runs: results, counts } = await runPlaywrightSuite(config, { MOCK_URL: server.url })
    expect(counts).toMatchObject({ expected: 95, unexpected: 1, flaky: 2, skipped: 2 })
    const { runs } = JSON.parse((await send('GET', '/__admin/runs')).text) as { readonly runs: readonly object[] }
    expect(runs).toMatchObject([
      {
        counts: {
          tests: 100,
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
    await expectPage(filters).toHaveText(['all 100', 'failed 1', 'flaky 2', 'passed 95', 'skipped 2'])
    await expectPage(page.getByRole('button', { name: '409 not retried 1 failed, 2 flaky' })).toBeVisible()
    await expectPage(page.getByText('100 tests, 1 failed, 2 flaky')).toBeVisible()
    await page.getByRole('button', { name: 'flaky 2' }).click()
    await expectPage(page.getByRole('table', { name: 'Tests' })).toHaveAttribute('aria-rowcount', '3')
    await expectPage(page.getByText('2 of 100 tests, 2 flaky')).toBeVisible()
  })
})
