/**
 * Sends requests to bare Hono and to a mock, both in this process, in turn. Prints the microseconds of processor time of a
 * request, as JSON: bare Hono's, and the mock's.
 */
import { readFile } from 'node:fs/promises'
import { createMock } from 'resource-mock'
import { median } from '../measure.js'
import { createBareApp } from '../servers/bare-app.js'

const WARM_UP = 5000
const BATCH = 1000
const ROUNDS = 21

const fixtures = await readFile(new URL('../../fixtures/resources.json', import.meta.url), 'utf8')
const records = JSON.parse(fixtures)
const url = `http://mock/acme/resource/${records[0].id}`
const mock = await createMock()
const app = createBareApp(records)

const contenders = [app.fetch, mock.fetch].map((fetch) => async (count) => {
  for (let at = 0; at < count; at += 1) {
    const response = await fetch(new Request(url, { headers: { Authorization: 'Bearer any' } }))
    await response.text()
    if (response.status !== 200) throw new Error(`The response is ${response.status}.`)
  }
})

for (const send of contenders) await send(WARM_UP)
const seen = contenders.map(() => [])
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, send] of contenders.entries()) {
    const start = process.cpuUsage()
    await send(BATCH)
    const { user, system } = process.cpuUsage(start)
    seen[index].push((user + system) / BATCH)
  }
}
console.log(JSON.stringify(seen.map(median)))
