import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { check } from '../contract/check.ts'

/** What is said of one wrong value has at most so many characters, whatever the value's name is. */
const MOST_CHARACTERS = 1000

/**
 * What the protocol's library checks a tool's input with: the schema of the tool, but only so many of the values that are wrong
 * are listed, as in every other answer. The input stays as it is.
 */
export function toToolSchema(input: z.ZodObject): StandardSchemaWithJSON<unknown, Readonly<Record<string, unknown>>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'resource-mock',
      jsonSchema: input['~standard'].jsonSchema,
      validate(given) {
        const { faults, unknown } = check(input, given)
        const messages = [
          ...unknown.map((name) => `Unrecognized argument "${name}". Remove it, or correct its name.`),
          ...faults.map(({ message, detailedErrorMessage = message }) => detailedErrorMessage),
        ]
        const issues = messages.map((message) => ({ message: message.slice(0, MOST_CHARACTERS) }))
        // Nothing is wrong with it without an issue.
        return issues.length > 0 ? { issues } : { value: given as Readonly<Record<string, unknown>> }
      },
    },
  }
}
