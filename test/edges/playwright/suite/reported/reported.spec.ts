import { expect, test } from 'resource-mock/playwright'

test.describe('the shop', () => {
  // Requests of hooks belong to none of the tests.
  test.beforeAll(async ({ mock }) => {
    await mock.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
  })
  test.afterAll(async ({ mock }) => {
    await mock.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
  })

  test('passes', async ({ mock }) => {
    await mock.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
  })

  test('fails', async ({ mock }) => {
    await mock.use('unavailable')
    const response = await mock.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
    expect(response.status).toBe(200)
  })

  test('fails as expected', ({ mock }) => {
    test.fail()
    expect(mock.name).toBe('another')
  })

  test('is skipped while it runs', ({ mock }) => {
    test.skip(mock.name !== '')
  })
})
