import { expect, it } from 'vitest'
import { builtinScenarios } from '../../../src/service/scenarios/builtin-scenarios.ts'
import { scenarioSchema } from '../../../src/service/scenarios/schema.ts'

it.each(Object.entries(builtinScenarios))('%s conforms to the schema', (_file, create) => {
  const content = create()
  expect(scenarioSchema.parse(content)).toEqual(content)
})
