import { arrayNames } from '../../../service/contract/models.ts'
import { checkStatus } from '../answers.ts'
import { compareParts, compareStatus, findInTurn, isObject, resultsOf, selectAll, toSelection } from '../finding.ts'
import { expectOwn, expectSamples } from '../samples.ts'
import { check, defineSubject } from '../subject.ts'
import { answered, bearer, findAcceptedQueries, findBody, heads, listed, methods, scoped } from './common.ts'
import { findUntolerated, queried, unknownParameters } from './parameters.ts'
import { paged } from './pages.ts'
import { ALL, findOther, selecting, selects } from './selection.ts'
import type { Places, SelectionCase } from './selection.ts'
import { compareTimes, timesOf } from './dates.ts'
import { stringifyJson } from '../../../service/http/json.ts'
import type { OperationContext } from '../subject.ts'
import type { ProviderAnswer, RequestQuery, Sending } from '../provider.ts'
import type { Finding } from '../report.ts'

const json = (value: unknown): string => JSON.stringify(value)

const EXACT: readonly SelectionCase[] = [
  [{ floatParameter: '0.1' }, [0]],
  [{ floatParameter: '0.10000000149011612' }, []],
  [{ integerParameter: '9007199254740993' }, ALL],
  [{ integerParameter: '9007199254740992' }, []],
  [{ stringParameter: '9007199254740992 in arrayOfIntExample' }, []],
]

/** The conditions of 4.1 and 4.5. */
const conditions = {
  'string-parameter': selects(
    'selects by stringParameter: a case-sensitive string, or <number> in <arrayField>',
    'D11',
    () => [
      [{ stringParameter: 'kiln' }, [0]],
      [{ stringParameter: 'kil' }, []],
      [{ stringParameter: 'KILN' }, []],
      [{ stringParameter: '2 in arrayOfTwonumbersExample' }, [0, 1]],
      [{ stringParameter: '3 in arrayOfFloatExample' }, []],
      [{ stringParameter: '99 in arrayOfIntExample' }, [2]],
    ],
  ),
  'float-parameter': selects('selects by floatParameter', 'D11', () => [
    [{ floatParameter: '2.5' }, [1]],
    [{ floatParameter: '35e-1' }, [2]],
    [{ floatParameter: '2' }, []],
  ]),
  'integer-parameter': selects('selects by integerParameter', 'D11', () => [
    [{ integerParameter: '-3' }, [2]],
    [{ integerParameter: '2.0' }, [1]],
    [{ integerParameter: '4' }, []],
  ]),
  'markdown-parameter': selects('selects by withMarkdownDescription', 'D11', () => [
    [{ withMarkdownDescription: '8.25' }, [1]],
    [{ withMarkdownDescription: '9' }, [0]],
    [{ withMarkdownDescription: '2.5' }, []],
  ]),
  'array-of-string': selects('selects by arrayOfString; if repeated, by all values', 'D11', () => [
    [{ arrayOfString: 'oakum' }, [1]],
    [{ arrayOfString: ['kiln', 'ax'] }, [0]],
    [{ arrayOfString: ['kiln', 'oakum'] }, []],
    [{ arrayOfString: 'Kiln' }, []],
  ]),
  'array-of-string-with-description': selects(
    'selects by arrayOfStringWithDescription; if repeated, by all values',
    'D11',
    () => [
      [{ arrayOfStringWithDescription: 'oakum' }, [1]],
      [{ arrayOfStringWithDescription: ['kiln', 'ax'] }, [0]],
      [{ arrayOfStringWithDescription: ['ax', 'oakum'] }, []],
    ],
  ),
  'object-parameter': selects(
    'selects by objectParameter as JSON (a string, a list), with [arrayOfString] and with .arrayOfString',
    'D11',
    () => [
      [{ objectParameter: json({ arrayOfString: 'kiln' }) }, [0]],
      [{ objectParameter: json({ arrayOfString: ['kiln', 'ax'] }) }, [0]],
      [{ objectParameter: json({ arrayOfString: ['kiln', 'oakum'] }) }, []],
      [{ 'objectParameter[arrayOfString]': 'oakum' }, [1]],
      [{ 'objectParameter[arrayOfString]': 'oak' }, []],
      [{ 'objectParameter[arrayOfString]': ['kiln', 'ax'] }, [0]],
      [{ 'objectParameter[arrayOfString]': ['kiln', 'oakum'] }, []],
      [{ 'objectParameter.arrayOfString': 'oakum' }, [1]],
      [{ 'objectParameter.arrayOfString': 'oak' }, []],
    ],
  ),
  'exact-numbers': selects('compares numbers past 2^53 exactly, and 0.1 as a double', 'D11', () => EXACT),
  'all-conditions': selects('requires all conditions to match', 'D11', () => [
    [{ stringParameter: 'kiln', floatParameter: '1.5', arrayOfString: 'ax' }, [0]],
    [{ stringParameter: 'kiln', floatParameter: '2.5' }, []],
    [{ integerParameter: '1', arrayOfString: 'oakum' }, []],
  ]),
}

/** The conditions of `unionParameter`. */
const unionConditions = {
  'union-number': selects('selects by unionParameter: a number in any number array, but not in an entry', 'D11', () => [
    [{ unionParameter: '-3' }, [2]],
    [{ unionParameter: '2.5' }, [1]],
    [{ unionParameter: '4' }, [2]],
    [{ unionParameter: '9' }, [0]],
    [{ unionParameter: '77.5' }, []],
    [{ unionParameter: '20' }, []],
  ]),
  'exact-numbers': selects(conditions['exact-numbers'].says, 'D11', () => [
    ...EXACT,
    [{ unionParameter: '9223372036854775807' }, ALL],
    [{ unionParameter: '9007199254740992' }, []],
  ]),
  'union-date-time': check(
    'selects by unionParameter: a date-time, for resources last modified at or after it',
    'D11',
    async (context: OperationContext) => {
      const own = expectOwn(context)
      const all = selectAll(own)
      const times = timesOf(await context.send({ query: all }), own, 'lastModifiedAt')
      const [, time] = times
      // The second sample was modified after its creation.
      const near = time === undefined ? [] : [time, new Date(Date.parse(time) + 1).toISOString()]
      return findInTurn(['1970-01-01T00:00:00.000Z', ...near, '9999-01-01T00:00:00.000Z'], (unionParameter) => {
        const expected = own.filter(
          (_, at) => compareTimes(times[at] ?? '2000-01-01T00:00:00.000Z', unionParameter) >= 0,
        )
        return findOther(context, { ...all, unionParameter }, expected)
      })
    },
  ),
  'union-object': selects(
    'selects by unionParameter: an ObjectTestType with equal content, its members in any order',
    'D11',
    ([{ version, content }]) => {
      const { arrayOfFloatExample: _, ...partial } = content
      const reversed = Object.fromEntries(Object.entries(content).toReversed())
      const cases: readonly (readonly [object, Places])[] = [
        [{ version, objectTypeProperty: content }, [0]],
        [{ version: version + 1, objectTypeProperty: content }, []],
        [{ objectTypeProperty: reversed, version }, [0]],
        [{ version, objectTypeProperty: partial }, []],
      ]
      // Not JSON.stringify: `content` has integers past 2^53.
      return cases.map(([value, places]) => [{ unionParameter: stringifyJson(value) }, places])
    },
  ),
}

/** A predicate without matches. */
const toNothing = ({ newId }: OperationContext): string => `id = ${JSON.stringify(newId())}`

const toContext = (context: OperationContext) => ({
  valid: (): Sending => ({}),
  among: (): RequestQuery => selectAll(expectSamples(context)),
  known: () => expectSamples(context),
})

/** Specification 4.1. */
export const queryResources = defineSubject(async (context: OperationContext) => {
  checkStatus(context, await context.send({ query: { limit: '20' } }), 200)
  return toContext(context)
})({
  ...answered,
  ...bearer,
  ...scoped(),
  ...paged('D10'),
  ...queried('queryResources'),
  ...unknownParameters,
  'parameter-case': check(
    'ignores Limit and FLOATPARAMETER because of their case; a strict service rejects them with 400',
    'spec 4, D4',
    async (context) => [
      ...(await findUntolerated(context, { Limit: 'abc' })),
      ...(await findUntolerated(context, { FLOATPARAMETER: 'abc' })),
    ],
  ),
  ...listed,
  ...selecting('D10'),
  projection: check(
    'includes the arrays of the first result on the page; all seven are empty without results or with limit=0',
    'D10',
    async (context) => {
      const samples = context.samples.length === 0 ? [] : (['0', '1'] as const)
      const queries: readonly RequestQuery[] = [
        { where: toNothing(context) },
        { limit: '0' },
        ...samples.map((offset) => ({ ...context.among(), offset })),
      ]
      const empty = Object.fromEntries(arrayNames.map((name) => [name, []]))
      return findInTurn(queries, async (query) => {
        const answer = await context.send({ query })
        if (!checkStatus(context, answer, 200)) return []
        const [first] = resultsOf(answer)
        const arrays: unknown = first === undefined ? empty : first['objectTypeProperty']
        return isObject(arrays) ? compareParts(answer, { members: arrays }) : []
      })
    },
  ),
  ...conditions,
  ...unionConditions,
})

const { 'content-type': _type, shape: _shape, ...bodiless } = answered
const { envelope: _envelope, ...refusedBodiless } = bearer

/** Sends queries and compares the statuses. */
async function compareStatuses(
  { send }: OperationContext,
  queries: readonly RequestQuery[],
  status: number,
): Promise<readonly Finding[]> {
  const answers = await Promise.all(queries.map((query) => send({ query })))
  return answers.flatMap((answer) => compareStatus(answer, status))
}

/** Specification 4.5. Every response is checked for an empty body. */
export const checkResources = defineSubject((context: OperationContext) => ({
  valid: (): Sending => ({}),
  async send(sending?: Sending): Promise<ProviderAnswer> {
    const answer = await context.send(sending)
    context.add('no-body', findBody(answer))
    return answer
  },
}))({
  ...bodiless,
  status: check('returns the documented status', '', (context) =>
    compareStatuses(context, [selectAll(expectSamples(context))], 200),
  ),
  ...refusedBodiless,
  ...scoped(),
  'no-body': check('never has a body'),
  'no-match': check('returns 404 if nothing matches', 'D12', (context) =>
    compareStatuses(context, [{ where: toNothing(context) }], 404),
  ),
  // A page has a total, and HEAD returns no page.
  ...queried('checkResources', 'objectParameter', 'withTotal'),
  'where-refused': check('returns 400 for an invalid where', 'D11', (context) =>
    findAcceptedQueries(context, [{ where: 'id = ' }]),
  ),
  union: check('ignores unionParameter, whatever its value', 'D11', (context) => {
    const where = toSelection(expectSamples(context))
    const values = ['abc', '77.5', '{"version":1}']
    return compareStatuses(
      context,
      values.map((unionParameter) => ({ where, unionParameter })),
      200,
    )
  }),
  where: check('supports where, repeated and with var.<name>', 'D10', async (context) => {
    const samples = expectSamples(context)
    return [
      ...(await compareStatuses(context, [{ where: 'id = :a', 'var.a': samples[0].id }], 200)),
      ...(await compareStatuses(context, [{ where: [toSelection(samples), toNothing(context)] }], 404)),
    ]
  }),
  ...conditions,
})

/** Specification 4.12. */
export const sortedQuery = defineSubject(async (context: OperationContext) => {
  checkStatus(context, await context.send(), 200)
  return {
    ...toContext(context),
    among: (): RequestQuery => ({ ...selectAll(expectSamples(context)), sort: 'id asc' }),
  }
})({
  ...answered,
  ...bearer,
  ...scoped('D30'),
  ...paged('D20'),
  ...queried('sortedQuery'),
  ...unknownParameters,
  ...listed,
  head: heads(),
  method: methods(['POST', 'DELETE']),
  ...selecting('D20'),
})
