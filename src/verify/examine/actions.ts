import type { OperationId } from '../../contract/endpoints.ts'
import { checkAnswer, checkRefusal, findStatusFaults, findTakenFaults } from '../answers.ts'
import type { VerifyContext, Examine } from '../context.ts'
import { compare, show } from '../fault.ts'
import type { Sending } from '../provider.ts'
import { Stop } from '../stop.ts'
import { examineAnyAccess } from './access.ts'
import { examineJsonBody } from './json-body.ts'
import { examineHead, examineMethods, examineRefusals } from './requests.ts'

/** A GET without anything else to ask. */
async function examineGet(
  results: Parameters<Examine<'getAction'>>[0],
  operation: OperationId,
  sending: Sending,
  context: VerifyContext,
): Promise<void> {
  const answer = await context.provider.send(operation, sending)
  if (checkAnswer(results, operation, answer, 200)) await examineHead(results, operation, sending, answer, context)
  await examineAnyAccess(results, operation, sending, context)
}

/** Specification 4.14. */
export const getAction: Examine<'getAction'> = (results, context) => examineGet(results, 'getAction', {}, context)

/** Specification 4.14. What the payload was before is put back at the end. */
export const postAction: Examine<'postAction'> = async (results, context) => {
  const operation = 'postAction'
  const { provider, cleanup, run } = context
  const before = await provider.send('getAction')
  if (before.status !== 200 || before.unreadable !== undefined) {
    throw new Stop('the payload that is there cannot be read, so that it could not be restored')
  }
  // As text: what stands there is put back to the letter.
  const restoring = { headers: { 'Content-Type': 'application/json' }, body: before.text }
  cleanup.undo(async (later) => {
    const { status } = await later.send(operation, restoring)
    return status === 200 ? undefined : `The action payload could not be restored: ${status}. It was: ${before.text}`
  })
  await examineAnyAccess(results, operation, restoring, context)

  const payload = { verify: run, count: 9_007_199_254_740_993n, list: [1, [null, { a: 'b' }]] }
  for (const json of [payload, [1, 'two', payload], `text of ${run}`, 5.5, true, null]) {
    const answer = await provider.send(operation, { json, label: show(json) })
    if (!checkAnswer(results, operation, answer, 200)) continue
    results.add('kept', compare(answer, [], json, answer.body))
    const got = await provider.send('getAction')
    if (got.status === 200) results.add('kept', compare(got, [], json, got.body))
  }
  const empty = await provider.send(operation, { ...restoring, body: '', label: 'an empty body' })
  results.add('empty', [...findStatusFaults(empty, 200), ...compare(empty, [], {}, empty.body)])
  const good = async () => ({ json: payload })
  await examineJsonBody(results, operation, good, { status: [200], isObject: false }, context)
  await examineMethods(results, operation, ['PUT', 'DELETE'], {}, context)
}

/** Specification 4.15. */
export const getActionWithExample: Examine<'getActionWithExample'> = async (results, context) => {
  await examineGet(results, 'getActionWithExample', {}, context)
  await examineMethods(results, 'getActionWithExample', ['POST', 'DELETE'], {}, context)
}

/** A request in a locale, or without one. */
const toSending = (accept: string, locale: string | undefined): Sending => ({
  headers: { Accept: accept, ...(locale === undefined ? {} : { 'Storefront-Locale': locale }) },
  label: `Accept: ${accept}, ${locale === undefined ? 'no Storefront-Locale' : `Storefront-Locale: ${locale}`}`,
})

/** Specification 4.16. A request without Accept is not tried: `fetch` always sends one (D83). */
export const getActionWithHeaders: Examine<'getActionWithHeaders'> = async (results, context) => {
  const operation = 'getActionWithHeaders'
  const { provider } = context
  const usual = toSending('application/json', 'de-DE')
  await examineGet(results, operation, usual, context)

  const [dashed, underlined, language] = await Promise.all(
    ['de-DE', 'de_DE', 'de'].map((locale) => provider.send(operation, toSending('application/json', locale))),
  )
  if (dashed === undefined || underlined === undefined || language === undefined) return
  for (const answer of [dashed, underlined, language]) results.add('locale-forms', findTakenFaults(answer, 200))
  const name = 'Content-Language'
  const tag = dashed.headers.get(name)
  if (tag === null) results.skip('language', 'the cart names no Content-Language')
  else results.add('language', compare(underlined, name, tag, underlined.headers.get(name)))
  const locales = [undefined, '', 'not a locale', '1', 'de-'].map((locale) => toSending('application/json', locale))
  await examineRefusals(results, 'locale', operation, locales, context)
  for (const accept of ['*/*', 'application/*', 'text/html, application/json;q=0.1']) {
    const answer = await provider.send(operation, toSending(accept, 'de-DE'))
    results.add('accept-forms', findTakenFaults(answer, 200))
  }
  for (const accept of ['text/html', 'image/png', 'application/json;q=0']) {
    checkRefusal(results, 'accept', await provider.send(operation, toSending(accept, 'de-DE')), 406)
  }
  await examineMethods(results, operation, ['POST', 'DELETE'], usual, context)
}
