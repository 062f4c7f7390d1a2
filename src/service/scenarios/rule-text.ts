import { stringifyJson } from '../http/json.ts'
import { toEffectText } from './effect-table.ts'
import type { Match, Rule } from './schema.ts'

const toNameList = (value: string | readonly string[]): string => (typeof value === 'string' ? value : value.join(', '))

function toMatchText(match: Match = {}): string {
  const { operation, method, project, path, query, headers, body } = match
  const conditions = [
    ...(operation === undefined ? [] : [toNameList(operation)]),
    ...(method === undefined ? [] : [toNameList(method)]),
    ...(path === undefined ? [] : [`path ${path}`]),
    ...(project === undefined ? [] : [`project ${project}`]),
    ...Object.entries(query ?? {}).map(([name, glob]) => `?${name}=${glob}`),
    ...Object.entries(headers ?? {}).map(([name, glob]) => `${name}: ${glob}`),
    ...(body === undefined ? [] : [`body with ${stringifyJson(body)}`]),
  ]
  return conditions.length === 0 ? 'every request' : conditions.join(' · ')
}

/** A rule in words: which requests, how often, and what becomes of them. */
export function toRuleText(rule: Rule): { readonly match: string; readonly often: string; readonly effect: string } {
  // When a rule acts among the requests that match it.
  const { during, flapping, after, every, probability, times: most } = rule
  const parts = [
    ...(during === undefined
      ? []
      : [`from ${during.from ?? 0}${during.to === undefined ? ' s on' : ` to ${during.to} s`}`]),
    ...(flapping === undefined ? [] : [`${flapping.up} s up and ${flapping.down} s down in turn`]),
    ...(after === undefined || after === 0 ? [] : [`after the first ${after}`]),
    ...(every === undefined || every === 1 ? [] : [`one in ${every}`]),
    ...(probability === undefined ? [] : [`with probability ${probability}`]),
    ...(most === undefined ? [] : [most === 1 ? 'once' : `${most} times`]),
  ]
  return { match: toMatchText(rule.match), often: parts.join(', '), effect: toEffectText(rule.effect) }
}
