import { createMock } from 'resource-mock'
import { expect, test } from 'vitest'

const headers = { Authorization: 'Bearer any' }

// To test your client, pass it mock.fetch instead of the global fetch.
test('loads the list when the service is back', async () => {
  const mock = await createMock({ scenario: 'unavailable-twice' })
  const load = () => mock.fetch('/acme/resource', { headers })

  expect((await load()).status).toBe(503)
  expect((await load()).status).toBe(503)
  const response = await load()
  expect(response.status).toBe(200)
  expect((await response.json()).results).not.toHaveLength(0)
})
