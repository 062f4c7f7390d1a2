import { expect, test } from '../app-test.ts'

test('waits for a request that arrives late', async ({ page, mock }) => {
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Listed')
  await expect(mock).not.toHaveReceived({ method: 'POST' })
  await page.evaluate(() => void setTimeout(() => document.querySelector('form')?.requestSubmit(), 300))
  await expect(mock).toHaveReceived({ method: 'POST', urlPathPattern: '/[^/]+/resource' })
})

test('waits for the expected number of requests', async ({ page, mock }) => {
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Listed')
  await page.reload()
  await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 2, timeout: 20_000 })
  await expect(mock).not.toHaveReceived({ operation: 'queryResources' }, { times: 1 })
  await expect(mock).toHaveReceived({ operation: 'createResource' }, { times: 0 })
})

test('notices that the page cancels a request', async ({ page, mock }) => {
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Listed')
  await expect(mock).not.toHaveBeenCancelled()
  await mock.use({ rules: [{ match: { operation: 'queryResources' }, effect: { fault: 'TIMEOUT' } }] })
  await page.reload()
  await expect(mock).toHaveReceived({ operation: 'queryResources' }, { times: 2 })
  await page.goto('about:blank')
  await expect(mock).toHaveBeenCancelled({ operation: 'queryResources' }, { times: 1 })
  const [cancelled] = await mock.findCancelled()
  expect(cancelled).toMatchObject({ clientLeft: true, response: { status: 0 } })
})

test('reports an invalid pattern', async ({ mock }) => {
  const wrong = { metod: 'POST' }
  await expect(expect(mock).toHaveReceived(wrong as object)).rejects.toThrow(/unknown member "metod".*method/)
  await expect(expect(mock).not.toHaveReceived(wrong as object)).rejects.toThrow(/unknown member "metod".*method/)
  await expect(expect(mock).toHaveReceived({}, { times: -1 })).rejects.toThrow(
    'times must be an integer of at least 0, not -1',
  )
  await expect(expect({} as typeof mock).toHaveReceived({})).rejects.toThrow('expects the mock fixture')
})

test('reports an unknown scenario', async ({ mock }) => {
  await expect(mock.use('conflit')).rejects.toThrow('Unknown scenario "conflit". Did you mean "conflict"?')
})

test('accepts other requests between those in order', async ({ page, mock }) => {
  await mock.seed([{ key: 'mine', objectTypeProperty: {} }])
  await page.goto('/')
  await page.getByLabel('Key').fill('linen-shirt')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(mock).toHaveReceivedInOrder([
    { operation: 'queryResources' },
    { operation: 'createResource' },
    { operation: 'queryResources' },
  ])
  await expect(mock).not.toHaveReceivedInOrder([{ operation: 'createResource' }, { operation: 'createResource' }])
  await expect(expect(mock).toHaveReceivedInOrder([])).rejects.toThrow('needs a list of patterns')
})

test('recognizes a conflict resolved with the current version', async ({ page, mock }) => {
  await mock.seed([{ key: 'mine', objectTypeProperty: {} }])
  await mock.use('conflict-once')
  await page.goto('/')
  await expect(mock).not.toHaveRecovered('conflict')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(mock).toHaveRecovered('conflict', { times: 1 })
  await expect(expect(mock).toHaveRecovered('conflit' as 'conflict')).rejects.toThrow(
    'Unknown recovery "conflit". Did you mean "conflict"?',
  )
})
