/** Creates mocks, and prints the milliseconds of processor time of each as JSON. */
import { createMock } from 'resource-mock'

const times = []
for (let at = 0; at < 10; at += 1) {
  const start = process.cpuUsage()
  await createMock()
  const { user, system } = process.cpuUsage(start)
  times.push((user + system) / 1000)
}
console.log(JSON.stringify(times))
