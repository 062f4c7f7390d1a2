import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { filesOf, layOut } from '../../edges/library/page.ts'
import { openPage } from '../../edges/msw/page.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { PATIENCE } from '../../support/patience.ts'
import { findTypeFaults } from './find-type-faults.ts'

const source = (path: string): string => join(import.meta.dirname, '../../../src', path)
const tool = (path: string): string => join(import.meta.dirname, 'node_modules', path)
const alias = {
  msw: 'msw',
  'resource-mock': source('index.ts'),
  'resource-mock/msw': source('msw.ts'),
  '@storybook/html': tool('@storybook/html/dist/index.js'),
  'storybook/test': tool('storybook/dist/test/index.js'),
  'storybook/preview-api': tool('storybook/dist/preview-api/index.js'),
}

/** Runs the stories in order like Storybook: loaders, story, play function. */
const APP = `
import { setProjectAnnotations } from '@storybook/html'
import { composeStory } from 'storybook/preview-api'
import { configure } from 'storybook/test'
import preview from './.storybook/preview.ts'
import * as all from './src/item-list.stories.ts'

configure({ asyncUtilTimeout: ${PATIENCE} })
setProjectAnnotations(preview)
const { default: meta, ...stories } = all
const results = {}
for (const [name, story] of Object.entries(stories)) {
  const canvasElement = document.body.appendChild(document.createElement('div'))
  results[name] = await composeStory(story, meta, undefined, undefined, name).run({ canvasElement }).then(() => 'passed', String)
  canvasElement.remove()
}

/** The text of a story with a choice in the toolbar. */
async function show(story, scenario) {
  const canvasElement = document.body.appendChild(document.createElement('div'))
  const play = async ({ canvas }) => canvas.findByText(/linen-shirt|The shop is closed/)
  const initialGlobals = { scenario }
  await composeStory({ ...story, play }, meta, { initialGlobals }, undefined, 'Shown').run({ canvasElement })
  const text = canvasElement.textContent
  canvasElement.remove()
  return text
}
const Closed = { parameters: { ...stories.OneItem.parameters, ...stories.Closed.parameters } }
results.chosen = [await show(stories.OneItem, 'unavailable'), await show(Closed, 'none'), await show(Closed, '')].join(', ')
window.results = results
`
declare const window: { readonly results?: Readonly<Record<string, string>> }

it('the code in docs/storybook.md passes type checks', async () => {
  expect(await findTypeFaults('docs/storybook.md', [])).toBe('')
})

describeInChromium('docs/storybook.md', () => {
  it('shows stories whose play functions pass, and that the toolbar can change and reset', async () => {
    const { folder, remove } = await layOut(filesOf('docs/storybook.md'))
    onTestFinished(remove)
    const { page, close } = await openPage({ contents: APP, resolveDir: folder, loader: 'ts' }, alias)
    onTestFinished(close)
    await page.waitForFunction(() => window.results !== undefined)
    const results = await page.evaluate(() => window.results)
    const closed = 'The shop is closed for a moment.'
    expect(results).toEqual({
      OneItem: 'passed',
      Empty: 'passed',
      Closed: 'passed',
      Loading: 'passed',
      chosen: `${closed}, linen-shirt, ${closed}`,
    })
  })
})
