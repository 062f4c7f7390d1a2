import { toKind } from '../../../service/contract/decode.ts'
import type { ParameterKind } from '../../../service/contract/decode.ts'
import type { Endpoint, Parameter } from '../../../service/contract/endpoint.ts'
import { endpoints } from '../../../service/contract/endpoints.ts'
import type { OperationId } from '../../../service/contract/endpoints.ts'
import { int32 } from '../../../service/contract/models.ts'
import { findTakenFindings } from '../answers.ts'
import { toList } from '../fix-first.ts'
import type { RequestQuery, Sending } from '../provider.ts'
import { check } from '../subject.ts'
import type { OperationContext, SubjectContext } from '../subject.ts'
import { findAcceptedQueries } from './common.ts'
import type { ValidContext } from './common.ts'

/** The valid statuses for a request with an undocumented parameter. */
const toUnknownStatuses = ({ isStrict }: SubjectContext): readonly number[] =>
  isStrict === undefined ? [200, 201, 400] : isStrict ? [400] : [200, 201]

/** Checks that an undocumented parameter is ignored, or rejected by a strict provider (D4). */
export const findUntolerated = async (context: OperationContext, query: RequestQuery, base: Sending = {}) =>
  findTakenFindings(await context.send({ ...base, query: { ...base.query, ...query } }), ...toUnknownStatuses(context))

export const unknownParameters = {
  'unknown-parameter': check(
    'ignores undocumented parameters; a strict service rejects them with 400',
    'D4',
    async (context: ValidContext) => findUntolerated(context, { verifyUnknown: 'a' }, await context.valid()),
  ),
}

type ValuesByKind = Readonly<Partial<Record<ParameterKind | 'int32', readonly string[]>>>

/** Values that are not of a parameter's kind. A `variant` past int32 may be accepted (D21). */
const MISTYPED: ValuesByKind = {
  float: ['abc', '1.5abc', 'NaN', 'Infinity', ''],
  int32: ['abc', '1.5', '1abc', '0x1F'],
  integer: ['abc', '1.5', '1abc', '0x1F', '9223372036854775808'],
  flag: ['perhaps', '1'],
  object: ['abc', '[]', '{"arrayOfString":5}'],
  union: ['abc', '{"version":1}'],
}

const NUMBERS = ['1', '2']
/** Two values of each kind of parameter that must not be repeated. */
const TWICE: ValuesByKind = {
  float: NUMBERS,
  int32: NUMBERS,
  integer: NUMBERS,
  flag: ['true', 'false'],
  union: NUMBERS,
  text: ['a', 'b'],
}

/** The parameters of an operation for which there are values, except those that a service may ignore. */
function listParameters(operation: OperationId, values: ValuesByKind, ignorable: readonly string[]) {
  const { query, families }: Endpoint = endpoints[operation]
  const ofFamilies = Object.values(families).map(({ prefix, schema }): [string, Parameter] => [
    `${prefix}en`,
    { schema },
  ])
  return [...Object.entries(query), ...ofFamilies].flatMap(([name, { schema, ignored }]) => {
    const ofKind = values[schema === int32 ? 'int32' : toKind(schema)]
    return ofKind === undefined || ignored === true || ignorable.includes(name) ? [] : [{ name, values: ofKind }]
  })
}

const namesOf = (parameters: readonly { readonly name: string }[]): string => toList(parameters.map(({ name }) => name))

/** Checks that every parameter of an operation is refused with a value of the wrong type, and if it is repeated. */
export function queried(operation: OperationId, ...ignorable: readonly string[]) {
  const typed = listParameters(operation, MISTYPED, ignorable)
  const single = listParameters(operation, TWICE, ignorable)
  return {
    refused: check(`returns 400 for ${namesOf(typed)} of the wrong type`, 'D9', async (context: ValidContext) => {
      const queries = typed.flatMap(({ name, values }) => values.map((value) => ({ [name]: value })))
      return findAcceptedQueries(context, queries, await context.valid())
    }),
    'single-valued': check(`returns 400 for repeated ${namesOf(single)}`, 'D9', async (context: ValidContext) => {
      const queries = single.map(({ name, values }) => ({ [name]: values }))
      return findAcceptedQueries(context, queries, await context.valid())
    }),
  }
}
