import { expect, test } from 'resource-mock/playwright'

const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }

// Every test has its own data and scenarios. To test your app, replace the requests with actions on its page:
// add page to the arguments, and start with: await page.goto('/')
test('saves again after a conflict', async ({ mock }) => {
  await mock.seed([{ key: 'linen-shirt', objectTypeProperty: {} }])
  await mock.use('conflict-once')

  const [shirt] = (await (await mock.fetch('/acme/resource', { headers })).json()).results
  const save = (version: number) =>
    mock.fetch(`/acme/resource/${shirt.id}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ version, actions: [{ action: 'changeSomeProperty', someProperty: 'blue' }] }),
    })
  const refused = await save(shirt.version)
  expect(refused.status).toBe(409)
  const [conflict] = (await refused.json()).errors
  expect((await save(conflict.currentVersion)).status).toBe(200)

  await expect(mock).toHaveRecovered('conflict')
})
