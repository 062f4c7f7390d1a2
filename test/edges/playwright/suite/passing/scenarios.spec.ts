import { expect, test } from '../app-test.ts'

test("a scenario changes the page's responses", async ({ page, mock }) => {
  await mock.use('conflict-once')
  await page.goto('/')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toHaveText('Saved after a conflict')
  await expect(mock).toHaveReceived({ operation: 'updateResource' }, { times: 2 })
  const updates = await mock.requests({ operation: 'updateResource' })
  expect(updates.map(({ response }) => response.status)).toEqual([409, 200])
})

test('a scenario may be an object', async ({ page, mock }) => {
  await mock.use({ rules: [{ match: { operation: 'queryResources' }, effect: { answer: { status: 502 } } }] })
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Failed: 502')
})

test('reset restores data and clears scenarios and journal', async ({ page, mock }) => {
  await mock.seed([])
  await mock.use('unavailable')
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Failed: 503')
  await mock.reset()
  await expect(mock).not.toHaveReceived({})
  await page.reload()
  await expect(page.getByRole('listitem')).not.toHaveCount(0)
})

test('restore returns to a snapshot', async ({ page, mock }) => {
  await mock.seed([{ key: 'kept', objectTypeProperty: {} }])
  const snapshot = await mock.snapshot()
  await mock.seed([])
  await mock.restore(snapshot)
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveText(['kept v1'])
})

test.describe('with the option mockScenario', () => {
  test.use({ mockScenario: 'unavailable' })

  test('every test starts with that scenario', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('status')).toHaveText('Failed: 503')
  })
})
