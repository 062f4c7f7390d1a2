import { listAndSave, test } from '../app.ts'

test('another user saves', async ({ browser, mock }) => {
  const context = await browser.newContext()
  await mock.enter(context)
  await mock.enter(context)
  await context.addInitScript((url) => Object.assign(globalThis, { API_URL: url }), mock.url)
  await listAndSave(await context.newPage(), 'tells')
  await context.close()
})
