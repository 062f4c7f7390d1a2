import { expect, it } from 'vitest'
import { parseJson } from '../../../src/service/http/json.ts'
import { builtinScenarios } from '../../../src/service/scenarios/builtin-scenarios.ts'
import { scenarioSchema } from '../../../src/service/scenarios/schema.ts'

it.each(Object.entries(builtinScenarios))('%s conforms to the schema', (_file, text) => {
  const content = parseJson(text)
  expect(scenarioSchema.parse(content)).toEqual(content)
})
