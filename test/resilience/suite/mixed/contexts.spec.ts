import { listAndSave, test } from '../app.ts'

test('another user saves', async ({ browser, mock }) => {
  const context = await browser.newContext()
  await mock.enter(context)
  await mock.enter(context)
  await listAndSave(await context.newPage(), 'tells')
  await context.close()
})
