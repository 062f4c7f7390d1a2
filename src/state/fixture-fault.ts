import type * as z from 'zod'
import { didYouMean } from '../util/did-you-mean.ts'
import { Problem, SetupError } from '../errors.ts'
import { toPath } from '../http/json-faults.ts'
import { locate } from './fixture-location.ts'
import { findMembers } from '../contract/members.ts'

/** A fixture file as it was given. */
export interface FixtureFile {
  readonly name: string
  readonly text: string
}

/** The longest piece of a file that a sentence repeats. */
const LONGEST_SOURCE = 60

const shorten = (source: string): string => {
  const line = source.replaceAll(/\s+/g, ' ')
  return line.length > LONGEST_SOURCE ? `${line.slice(0, LONGEST_SOURCE)}…` : line
}

/** `JSON Array expected` for what has the wrong type, else the sentence that the contract has for the value. */
function toExpectation(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message.replace(/\.$/, '')
  return `JSON ${issue.expected.slice(0, 1).toUpperCase()}${issue.expected.slice(1)} expected`
}

/** A fault at a path of a fixture file; `toSentence` is told what is written there. */
export async function toFixtureFault(
  { name, text }: FixtureFile,
  path: readonly PropertyKey[],
  toSentence: (source: string | undefined) => string,
): Promise<SetupError> {
  const { line, column, source } = await locate(text, path)
  const where = path.length === 0 ? '' : ` ${toPath(path)}`
  return new SetupError(`fixtures ${name}:${line}:${column}${where}: ${toSentence(source)}`)
}

/**
 * What a schema has against a fixture file, as the sentence that the user reads. A member that is unknown comes first,
 * since it may be another, required one misspelt.
 */
export async function toSchemaFault(file: FixtureFile, schema: z.ZodType, { issues }: z.ZodError): Promise<SetupError> {
  const stranger = issues.find((issue) => issue.code === 'unrecognized_keys')
  if (stranger !== undefined) {
    const [member = ''] = stranger.keys
    const known = findMembers(schema, stranger.path)
    const path = [...stranger.path, member]
    const remedy = `${didYouMean(member, known)} Known here: ${known.join(', ')}.`
    return toFixtureFault(file, path, () => `unknown member.${remedy}`)
  }
  const [issue] = issues
  if (issue === undefined) return new SetupError(`fixtures ${file.name}: not what the contract asks for.`)
  return toFixtureFault(file, issue.path, (source) =>
    source === undefined ? 'required, but missing.' : `${toExpectation(issue)}, found ${shorten(source)}.`,
  )
}

/** A fixture file that is not JSON. What parseJson says of the place goes to where editors look for it. */
export function toSyntaxFault({ name, text }: FixtureFile, fault: unknown): unknown {
  if (text.trim() === '') return new SetupError(`fixtures ${name}:1:1: the file is empty; JSON expected.`)
  if (!(fault instanceof Problem)) return fault
  const detail = String(fault.errors[0]['detailedErrorMessage'])
  const [found, line, column] = /line (\d+), column (\d+)/.exec(detail) ?? []
  if (found === undefined) return new SetupError(`fixtures ${name}: ${detail}`)
  return new SetupError(
    `fixtures ${name}:${line}:${column}: ${detail.replace(`${found}: `, '').replace(` (${found})`, '')}`,
  )
}
