import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCatalog } from '../../../src/service/scenarios/engine.ts'
import { loadAllScenarios } from '../../../src/service/scenarios/load.ts'
import { runPlaywright } from '../playwright/run-playwright.ts'
import type { TestRun } from '../playwright/run-playwright.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { listTests } from './list-tests.ts'

const folder = join(import.meta.dirname, '../../../examples/storefront')
const config = join(folder, 'playwright.config.ts')
const listed = listTests(config)

describeInChromium(`the storefront's suite of ${listed.length} tests`, () => {
  let runs: ReadonlyMap<string, TestRun>

  beforeAll(async () => {
    runs = new Map((await runPlaywright(config)).map((run) => [run.title, run]))
  }, 1_200_000)

  it.each(listed)('$file: $title', ({ title }) => {
    const { status, message } = runs.get(title) ?? expect.fail('It was not run.')
    expect(message).toBe('')
    expect(status).toBe('passed')
  })
})

describe("the storefront's suite", () => {
  const texts = readdirSync(join(folder, 'tests')).map((name) => readFileSync(join(folder, 'tests', name), 'utf8'))
  // The shop never posts the complex body, so scenarios for it are not covered.
  const unmet = new Set(['custom1', 'custom2'])

  it('has a unique title for each test', () => {
    expect(new Set(listed.map(({ title }) => title)).size).toBe(listed.length)
  })

  it('covers every built-in scenario that affects users', async () => {
    const names = createCatalog(await loadAllScenarios({}))
      .all()
      .map(({ name }) => name)
      .filter((name) => !unmet.has(name))
    const suite = texts.join('\n')
    expect(names.filter((name) => !suite.includes(`'${name}'`))).toEqual([])
    expect(names).toHaveLength(22)
  })
})
