import { complexExample } from '../../contract/complex-example.ts'
import { isEqualContent } from '../../query/equal-content.ts'
import { checkAnswer, checkRefusal, findStatusFaults } from '../answers.ts'
import type { Examine } from '../context.ts'
import { fault } from '../fault.ts'
import type { Sending } from '../provider.ts'
import { examineAccess } from './access.ts'
import { examineJsonBody } from './json-body.ts'
import { examineMethods, examineQueries, examineRefusals, examineUnknownParameter } from './requests.ts'

/** Specification 4.9. */
export const postComplex: Examine<'postComplex'> = async (results, context) => {
  const operation = 'postComplex'
  const { provider, run, isStrict } = context
  const json = { ...complexExample, id: run, key: run }
  const path = { uriParameterOne: run, uriParameterTwo: 'two' }
  const query = [
    ['queryParameterOne', '1.5'],
    ['queryParameterTwo', 'a'],
  ] as const
  const sending = { path, query, json }

  const first = await provider.send(operation, sending)
  const again = await provider.send(operation, sending)
  const elsewhere = await provider.send(operation, { ...sending, path: { ...path, uriParameterTwo: 'three' } })
  checkAnswer(results, operation, first, 201)
  checkAnswer(results, operation, again, 200)
  results.add('repeat', [...findStatusFaults(first, 201), ...findStatusFaults(again, 200)])
  results.add('other-path', findStatusFaults(elsewhere, 201))

  const { id: _, ...idless } = json
  for (const label of ['no id', 'no id, again']) {
    const answer = await provider.send(operation, { path, json: idless, label })
    // A strict provider wants all sixteen members (D17).
    results.add('no-id', findStatusFaults(answer, isStrict === true ? 400 : 201))
  }
  const empty = await provider.send(operation, { path, json: {}, label: 'no member' })
  if (isStrict === true) checkRefusal(results, 'optional', empty, 400)
  else results.add('optional', findStatusFaults(empty, 201))

  const unknown = { ...sending, json: { ...json, verifyUnknown: 'a' }, label: 'the member verifyUnknown' }
  const ignored = await provider.send(operation, unknown)
  if (isStrict === true) checkRefusal(results, 'unknown-member', ignored, 400)
  else results.add('unknown-member', findStatusFaults(ignored, 200))

  const [one, two] = [await prefer('custom1'), await prefer('custom2')]
  if (one.status === 203 && two.status === 203) {
    for (const answer of [one, two]) checkAnswer(results, operation, answer, 203)
    const isSame = isEqualContent(one.body, two.body)
    results.add('alternatives', isSame ? fault(two, 'body', 'another payload than custom1', 'the same') : [])
  } else {
    results.skip('alternatives', 'what yields 203 is not documented, and the provider does not take `Prefer: code=203`')
  }

  const values = Object.keys(complexExample).map((name) => [name, name.endsWith('By') ? 'text' : 5] as const)
  const wrong = [...values, ['createdAt', 'yesterday'] as const].map(([name, value]): Sending => {
    const label = `${name}: ${JSON.stringify(value)}`
    return { ...sending, json: { ...json, id: `${run}-broken`, [name]: value }, label }
  })
  await examineRefusals(results, 'body-refused', operation, wrong, context)
  await examineJsonBody(results, operation, async () => sending, { status: [200], isObject: true }, context)
  const bare = { path, json }
  await examineQueries(results, 'refused', operation, [[['queryParameterOne', 'abc']]], context, bare)
  const twice = [[['queryParameterOne', '2']], [['queryParameterTwo', 'b']]] as const
  await examineQueries(results, 'single-valued', operation, twice, context, sending)
  await examineUnknownParameter(results, operation, bare, context)
  await examineMethods(results, operation, ['GET', 'DELETE'], { path }, context)
  await examineAccess(results, operation, sending, context)

  function prefer(example: string) {
    return provider.send(operation, { ...sending, headers: { Prefer: `code=203, example=${example}` } })
  }
}
