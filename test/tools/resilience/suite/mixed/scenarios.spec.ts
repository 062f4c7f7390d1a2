import { expect, listAndSave, test } from '../app.ts'

test('saves after a conflict', async ({ page, mock }) => {
  await mock.reset()
  await mock.use('conflict-once')
  await listAndSave(page, 'survives')
  const statuses = (await mock.requests({ operation: 'updateResource' })).map(({ response }) => response.status)
  expect(statuses).toContain(409)
  await mock.use()
  expect((await mock.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })).ok).toBe(true)
})
