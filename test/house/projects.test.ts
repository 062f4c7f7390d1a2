import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSources } from './sources.ts'

const tests = readdirSync(join(import.meta.dirname, '..'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'contract-tools')
  .flatMap(({ name }) => readSources(`test/${name}`))
  .filter(({ path }) => path.endsWith('.test.ts'))
const isQuick = (path: string): boolean => !/\.(?:slow|browser)\.test\.ts$/.test(path)

it('no test that npm test runs needs a browser', () => {
  const misnamed = tests
    .filter(({ path, lines }) => isQuick(path) && lines.some((line) => line.startsWith('describeInChromium(')))
    .map(({ path }) => `${path} needs Chromium: name it ${path.replace('.test.ts', '.browser.test.ts')}.`)
  expect(misnamed).toEqual([])
})
