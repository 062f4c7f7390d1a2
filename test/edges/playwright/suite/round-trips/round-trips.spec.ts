import { expect, test } from 'resource-mock/playwright'

const init = { headers: { Authorization: 'Bearer any' } }

test('passes', async ({ mock }) => {
  expect((await mock.fetch('/acme/resource', init)).status).toBe(200)
})

test.describe(() => {
  test.use({ mockScenario: ['slow', 'unavailable'] })

  test('starts with scenarios', async ({ mock }) => {
    expect((await mock.fetch('/acme/resource', init)).status).toBe(503)
  })
})

test('fails as expected', async ({ mock }) => {
  test.fail()
  expect((await mock.fetch('/acme/resource', init)).status).toBe(500)
})

test('fails', async ({ mock }) => {
  expect((await mock.fetch('/acme/resource/none', init)).status).toBe(200)
})
