import { checkAnswer, findTakenFaults } from '../answers.ts'
import type { OperationExamination } from '../examination.ts'
import { compare, compareHeader, findStatusFaults, show } from '../fault.ts'
import type { Sending } from '../provider.ts'
import { Stop } from '../stop.ts'
import { examineAccess } from './access.ts'
import { examineJsonBody } from './json-body.ts'
import { examineHead, examineMethods, examineRefusals } from './requests.ts'

/** Specification 4.14: a GET without anything else to ask. */
export async function getAction(exam: OperationExamination, sending: Sending = {}): Promise<void> {
  const answer = await exam.send(sending)
  if (checkAnswer(exam, answer, 200)) await examineHead(exam, sending, answer)
  await examineAccess(exam, sending)
}

/** Specification 4.14. What the payload was before is put back at the end. */
export async function postAction(exam: OperationExamination): Promise<void> {
  const { provider, cleanup, run } = exam
  const before = await provider.send('getAction')
  if (before.status !== 200 || before.unreadable !== undefined) {
    throw new Stop('the payload that is there cannot be read, so that it could not be restored')
  }
  // As text, so that it is restored to the letter.
  const restoring = { headers: { 'Content-Type': 'application/json' }, body: before.text }
  cleanup.undo(async (later) => {
    const { status } = await later.send('postAction', restoring)
    return status === 200 ? undefined : `The action payload could not be restored: ${status}. It was: ${before.text}`
  })
  await examineAccess(exam, restoring)

  const payload = { verify: run, count: 9_007_199_254_740_993n, list: [1, [null, { a: 'b' }]] }
  for (const json of [payload, [1, 'two', payload], `text of ${run}`, 5.5, true, null]) {
    const answer = await exam.send({ json, label: show(json) })
    if (!checkAnswer(exam, answer, 200)) continue
    exam.add('kept', compare(answer, [], json, answer.body))
    const got = await provider.send('getAction')
    if (got.status === 200) exam.add('kept', compare(got, [], json, got.body))
  }
  const empty = await exam.send({ ...restoring, body: '', label: 'an empty body' })
  exam.add('empty', [...findStatusFaults(empty, 200), ...compare(empty, [], {}, empty.body)])
  await examineJsonBody(exam, async () => ({ json: payload }), [200], false)
  await examineMethods(exam, ['PUT', 'DELETE'])
}

/** Specification 4.15. */
export async function getActionWithExample(exam: OperationExamination): Promise<void> {
  await getAction(exam)
  await examineMethods(exam, ['POST', 'DELETE'])
}

/** A request in a locale, or without one. */
const toSending = (accept: string, locale: string | undefined): Sending => ({
  headers: { Accept: accept, ...(locale === undefined ? {} : { 'Storefront-Locale': locale }) },
  label: `Accept: ${accept}, ${locale === undefined ? 'no Storefront-Locale' : `Storefront-Locale: ${locale}`}`,
})

const inLocale = (locale: string | undefined) => toSending('application/json', locale)
const accepting = (accept: string) => toSending(accept, 'de-DE')

/** Specification 4.16. A request without Accept is not tried: `fetch` always sends one (D83). */
export async function getActionWithHeaders(exam: OperationExamination): Promise<void> {
  const usual = inLocale('de-DE')
  await getAction(exam, usual)

  const tag = (await exam.send(usual)).headers.get('Content-Language')
  if (tag === null) exam.skip('language', 'the cart names no Content-Language')
  for (const locale of ['de-DE', 'de_DE', 'de']) {
    const answer = await exam.send(inLocale(locale))
    exam.add('locale-forms', findTakenFaults(answer, 200))
    if (tag !== null && locale === 'de_DE') exam.add('language', compareHeader(answer, 'Content-Language', tag))
  }
  await examineRefusals(exam, 'locale', [undefined, '', 'not a locale', '1', 'de-'].map(inLocale))
  for (const accept of ['*/*', 'application/*', 'text/html, application/json;q=0.1']) {
    exam.add('accept-forms', findTakenFaults(await exam.send(accepting(accept)), 200))
  }
  await examineRefusals(exam, 'accept', ['text/html', 'image/png', 'application/json;q=0'].map(accepting), 406)
  await examineMethods(exam, ['POST', 'DELETE'], usual)
}
