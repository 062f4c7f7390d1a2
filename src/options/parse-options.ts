import { SetupError } from '../errors.ts'
import { isJsonObject } from '../http/json.ts'
import { optionEntries } from './options.ts'
import type { MockOptions, OptionName, ParsedOptions, ServerOptions } from './options.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { showValue } from '../http/show-value.ts'
import { parseValue } from './option.ts'

type OptionScope = 'mock' | 'server'

const namesFor = (scope: OptionScope): readonly OptionName[] =>
  optionEntries.filter(([, option]) => option.for === scope).map(([name]) => name)

function describeUnknown(name: string, scope: OptionScope): string {
  const [ofMock, ofServer] = [namesFor('mock'), namesFor('server')] as const
  if (scope === 'mock' && ofServer.some((known) => known === name)) {
    return `The option ${name} belongs to startServer of resource-mock/node. Use startServer, or remove the option.`
  }
  const known = [...ofMock, ...ofServer]
  const remedy = didYouMean(name, known) || ` The options are: ${known.join(', ')}.`
  return `Unknown option "${name}".${remedy}`
}

/**
 * Checks that options are an object.
 *
 * @throws {SetupError} for anything else.
 */
export function expectOptions(given: unknown): void {
  if (isJsonObject(given) && !('then' in given)) return
  throw new SetupError(`The options must be an object such as { scenario: 'slow' }, not ${showValue(given)}.`)
}

/**
 * Parses the options of `createMock`, or of `startServer`, and adds the defaults. An option that is undefined counts as
 * absent.
 *
 * @throws {SetupError} for the first one that is unknown or has a value that it cannot have.
 */
export function parseOptions(given: MockOptions | ServerOptions, scope: OptionScope = 'mock'): ParsedOptions {
  expectOptions(given)
  const taken = scope === 'mock' ? namesFor('mock') : [...namesFor('mock'), ...namesFor('server')]
  const stranger = Object.keys(given).find((name) => !taken.some((known) => known === name))
  if (stranger !== undefined) throw new SetupError(describeUnknown(stranger, scope))
  const values: Readonly<Record<string, unknown>> = { ...given }
  const parsed = optionEntries.flatMap(([name, option]) => {
    const value = values[name] === undefined ? option.default : values[name]
    if (option.for === 'command' || value === undefined) return []
    return [[name, parseValue({ ...option, value: option.inCode ?? option.value }, value, `The option ${name}`)]]
  })
  // Every value comes out of the schema that the type is made of.
  return Object.fromEntries(parsed) as ParsedOptions
}
