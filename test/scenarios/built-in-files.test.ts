import { expect, it } from 'vitest'
import { parseJson } from '../../src/http/json.ts'
import { builtinScenarios } from '../../src/scenarios/builtin-scenarios.ts'
import { scenarioSchema } from '../../src/scenarios/schema.ts'

it.each(Object.entries(builtinScenarios))('%s conforms to the schema', (_file, text) => {
  const content = parseJson(text)
  expect(scenarioSchema.parse(content)).toEqual(content)
})
