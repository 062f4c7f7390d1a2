import { expect, it } from 'vitest'
import { toScenarioJsonSchema } from '../../../src/service/scenarios/schema.ts'

it('publishes the same schema of scenario files that the mock uses to check them', async () => {
  const text = `${JSON.stringify(toScenarioJsonSchema(), undefined, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../../scenario.schema.json')
})
