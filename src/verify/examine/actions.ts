import { checkAnswer, checkRefusal, findTakenFaults } from '../answers.ts'
import { checkOrder } from '../order.ts'
import type { OperationExamination } from '../examination.ts'
import { compare, compareHeader, fault, faultUnless, findStatusFaults, show } from '../fault.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'
import { memberOf } from '../read-answer.ts'
import type { Fault } from '../report.ts'
import { Stop } from '../stop.ts'
import { examineAccess } from './access.ts'
import { examineJsonBody } from './json-body.ts'
import { examineHead, examineMethods, examineRefusals } from './requests.ts'

/** Specification 4.14: a GET without anything else to ask. */
export async function getAction(exam: OperationExamination, sending: Sending = {}): Promise<void> {
  const answer = await exam.send(sending)
  if (checkAnswer(exam, answer, 200)) {
    checkOrder(exam, answer)
    await examineHead(exam, sending, answer)
  }
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
  const texts = [`text of ${run}, Grüße 😀`, '']
  for (const json of [payload, [1, 'two', payload], [], {}, ...texts, 5.5, 0.1, 0, true, false, null]) {
    const answer = await exam.send({ json, label: show(json) })
    if (!checkAnswer(exam, answer, 200)) continue
    exam.add('kept', compare(answer, [], json, answer.body))
    const got = await provider.send('getAction')
    if (got.status === 200) exam.add('kept', compare(got, [], json, got.body))
  }
  await exam.send({ json: payload })
  await examineOtherProject(exam)
  const empty = await exam.send({ ...restoring, body: '', label: 'an empty body' })
  exam.add('empty', [...findStatusFaults(empty, 200), ...compare(empty, [], {}, empty.body)])
  await examineJsonBody(exam, async () => ({ json: payload }), [200], false)
  await examineMethods(exam, ['PUT', 'DELETE'])
}

/** Section 1: another project has a payload of its own. */
async function examineOtherProject({ provider, tokens, otherProject, run, ...exam }: OperationExamination) {
  const authorization = (await tokens.only('manage_project', otherProject)) ?? tokens.usual
  const other = await provider.send('getAction', { path: { projectKey: otherProject }, authorization })
  if (other.status !== 200) {
    const reason = `the token does not reach the other project: ${other.request} answered ${other.status}`
    return exam.skip('own-project', reason)
  }
  exam.add('own-project', faultUnless(!other.text.includes(run), other, 'body', 'the payload of that project', run))
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

/** A fault where an error does not name the header that is missing. */
const findUnnamed = (answer: ProviderAnswer, name: string): readonly Fault[] =>
  faultUnless(
    answer.text.toLowerCase().includes(name.toLowerCase()),
    answer,
    'body',
    `an error that names ${name}`,
    answer.text,
  )

const languageOf = (locale: string): string => locale.toLowerCase().split(/[-_]/)[0] ?? ''

/** The names of the line items of a cart. */
const namesOf = ({ body }: ProviderAnswer): unknown => {
  const items = memberOf(body, 'lineItems')
  return Array.isArray(items) ? items.map((item) => memberOf(item, 'name')) : []
}

/** D23: the language that a cart is said to be in is the one that was asked for, and its names are in it. */
async function examineLanguages(exam: OperationExamination): Promise<void> {
  const seen = new Map<string, ProviderAnswer>()
  for (const locale of ['de-DE', 'en-GB', 'fr-FR']) {
    const answer = await exam.send(inLocale(locale))
    const tag = answer.headers.get('Content-Language')
    if (answer.status !== 200 || tag === null) continue
    const language = languageOf(tag)
    exam.add('language', faultUnless(language === languageOf(locale), answer, 'Content-Language', locale, tag))
    seen.set(language, answer)
  }
  const [first, ...others] = seen.values()
  if (first === undefined || others.length === 0) {
    return exam.skip('translation', 'no carts of two languages were named in Content-Language')
  }
  const names = new Map<string, string>()
  for (const answer of seen.values()) {
    const text = show(namesOf(answer))
    const same = names.get(text)
    names.set(text, answer.request)
    exam.add(
      'translation',
      same === undefined || text === '[]'
        ? []
        : fault(answer, 'lineItems', 'other names than in another language', text),
    )
  }
}

/** Specification 4.16. */
export async function getActionWithHeaders(exam: OperationExamination): Promise<void> {
  const usual = inLocale('de-DE')
  await getAction(exam, usual)

  const tag = (await exam.send(usual)).headers.get('Content-Language')
  if (tag === null) exam.skip('language', 'the cart names no Content-Language')
  for (const locale of ['de-DE', 'de_DE', 'de', 'sv-SE']) {
    const answer = await exam.send(inLocale(locale))
    exam.add('locale-forms', findTakenFaults(answer, 200))
    if (tag !== null && locale === 'de_DE') exam.add('language', compareHeader(answer, 'Content-Language', tag))
  }
  await examineLanguages(exam)
  await examineRefusals(exam, 'locale', ['', 'not a locale', '1', 'de-'].map(inLocale))
  for (const [name, header, sending] of [
    ['locale', 'Storefront-Locale', inLocale(undefined)],
    ['no-accept', 'Accept', { headers: { ...usual.headers, Accept: null }, label: 'no Accept' }],
  ] as const) {
    const refused = await exam.send(sending)
    if (checkRefusal(exam, name, refused)) exam.add(name, findUnnamed(refused, header))
  }
  for (const accept of ['*/*', 'application/*', 'text/html, application/json;q=0.1']) {
    exam.add('accept-forms', findTakenFaults(await exam.send(accepting(accept)), 200))
  }
  await examineRefusals(exam, 'accept', ['text/html', 'image/png', 'application/json;q=0'].map(accepting), 406)
  await examineMethods(exam, ['POST', 'DELETE'], usual)
}
