import * as z from 'zod'
import { scenarioSchema } from './schema.ts'

/** The JSON Schema (draft 2020-12) of scenario files, which they name in `$schema`. */
export const toScenarioJsonSchema = (): unknown =>
  z.toJSONSchema(scenarioSchema, { io: 'input', unrepresentable: 'any' })
