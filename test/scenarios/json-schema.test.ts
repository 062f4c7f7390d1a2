import { expect, it } from 'vitest'
import { toScenarioJsonSchema } from '../../src/scenarios/schema.ts'

it('publishes the schema of scenario files that the mock checks them against', async () => {
  const text = `${JSON.stringify(toScenarioJsonSchema(), undefined, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../scenario.schema.json')
})
