import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { filesOf, layOut } from '../library/page.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { openPage } from './page.ts'

const source = (path: string): string => join(import.meta.dirname, '../../../src', path)
const alias = { msw: 'msw', 'resource-mock': source('index.ts'), 'resource-mock/msw': source('msw.ts') }

describeInChromium('docs/msw.md', () => {
  it('shows an app that runs in the browser', async () => {
    const files = filesOf('docs/msw.md')
    const { folder, remove } = await layOut(files)
    onTestFinished(remove)
    const app = { contents: files.get('src/main.ts') ?? '', resolveDir: join(folder, 'src'), loader: 'ts' } as const
    const { page, close } = await openPage(app, alias)
    onTestFinished(close)

    await page.waitForFunction(() => document.body.textContent === '20 items')
    await page.click('body')
    await page.waitForFunction(() => document.body.textContent.includes('The shop is closed'))
    expect(await page.textContent('body')).toBe('The shop is closed for a moment. Try again.')
  })
})
