import * as values from './values.ts'
import { didYouMean } from '../util/did-you-mean.ts'

/** A list of some of these ids, separated by commas on the command line. */
export function idList<const Id extends string>(
  ids: readonly Id[],
  expected: string,
): values.Value<readonly Id[], Id | readonly Id[]> {
  const isUnknown = (name: unknown): name is string => typeof name === 'string' && !ids.some((id) => id === name)
  return {
    ...values.oneOrMany(values.oneOf(ids), expected),
    fromText: (text) => text.split(',').map((name) => name.trim()),
    suggest(given) {
      const unknown = [given].flat().find(isUnknown)
      return unknown === undefined ? '' : didYouMean(unknown, ids)
    },
  }
}
