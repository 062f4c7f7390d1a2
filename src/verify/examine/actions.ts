import { checkAnswer, checkRefusal, findTakenFindings, checkOrder, checkTolerated } from '../answers.ts'
import { compare, compareHeader, finding, findUnless, compareStatus, show, memberOf } from '../finding.ts'
import { Stop } from '../transport.ts'
import {
  examineAccess,
  examineJsonBody,
  examineHead,
  examineMethods,
  examineRefusals,
  examineQueries,
  examineUnknownParameter,
} from './requests.ts'
import { complexExample } from '../../contract/complex-example.ts'
import { isEqualContent } from '../../query/fields.ts'
import type { OperationExamination } from '../examination.ts'
import type { ProviderAnswer, Sending, RequestQuery } from '../provider.ts'
import type { Finding } from '../report.ts'

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
  exam.add('empty', [...compareStatus(empty, 200), ...compare(empty, [], {}, empty.body)])
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
  exam.add('own-project', findUnless(!other.text.includes(run), other, 'body', 'the payload of that project', run))
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

/** A finding where an error does not name the header that is missing. */
const findUnnamed = (answer: ProviderAnswer, name: string): readonly Finding[] =>
  findUnless(
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
    exam.add('language', findUnless(language === languageOf(locale), answer, 'Content-Language', locale, tag))
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
        : finding(answer, 'lineItems', 'other names than in another language', text),
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
    exam.add('locale-forms', findTakenFindings(answer, 200))
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
    exam.add('accept-forms', findTakenFindings(await exam.send(accepting(accept)), 200))
  }
  await examineRefusals(exam, 'accept', ['text/html', 'image/png', 'application/json;q=0'].map(accepting), 406)
  await examineMethods(exam, ['POST', 'DELETE'], usual)
}

/** Specification 4.9. */
export async function postComplex(exam: OperationExamination): Promise<void> {
  const { run, isStrict } = exam
  const json = { ...complexExample, id: run, key: run }
  const path = { uriParameterOne: run, uriParameterTwo: 'two' }
  const sending = { path, query: { queryParameterOne: '1.5', queryParameterTwo: 'a' }, json }

  const first = await exam.send(sending)
  const again = await exam.send(sending)
  const third = await exam.send({ ...sending, query: { queryParameterTwo: 'b' } })
  const elsewhere = [
    await exam.send({ ...sending, path: { ...path, uriParameterTwo: 'three' } }),
    await exam.send({ ...sending, path: { ...path, uriParameterOne: `${run}-three` } }),
  ]
  checkAnswer(exam, first, 201)
  checkAnswer(exam, again, 200)
  exam.add(
    'repeat',
    [first, again, third].flatMap((answer, at) => compareStatus(answer, at === 0 ? 201 : 200)),
  )
  for (const answer of elsewhere) exam.add('other-path', compareStatus(answer, 201))

  const { id: _, ...idless } = json
  for (const label of ['no id', 'no id, again']) {
    const answer = await exam.send({ path, json: idless, label })
    // A strict provider wants all sixteen members (D17).
    exam.add('no-id', compareStatus(answer, isStrict === true ? 400 : 201))
  }
  const empty = await exam.send({ path, json: {}, label: 'no member' })
  checkTolerated(exam, 'optional', empty, (answer) => compareStatus(answer, 201))

  const unknown = { ...sending, json: { ...json, verifyUnknown: 'a' }, label: 'the member verifyUnknown' }
  checkTolerated(exam, 'unknown-member', await exam.send(unknown), (answer) => compareStatus(answer, 200))
  const createdBy = { ...complexExample.createdBy, verifyUnknown: 'a' }
  const inside = await exam.send({ ...sending, json: { ...json, createdBy }, label: 'createdBy.verifyUnknown' })
  checkTolerated(exam, 'unknown-member', inside, (answer) => compareStatus(answer, 200))

  const prefer = (name: string) => exam.send({ ...sending, headers: { Prefer: `code=203, example=${name}` } })
  const [one, two] = [await prefer('custom1'), await prefer('custom2')]
  if (one.status === 203 && two.status === 203) {
    for (const answer of [one, two]) checkAnswer(exam, answer, 203)
    const isOther = !isEqualContent(one.body, two.body)
    exam.add('alternatives', findUnless(isOther, two, 'body', 'another payload than custom1', 'the same'))
  } else {
    exam.skip('alternatives', 'what yields 203 is not documented, and the provider does not take `Prefer: code=203`')
  }

  const values = Object.keys(complexExample).map((name) => [name, name.endsWith('By') ? 'text' : 5] as const)
  const others = [
    ['createdAt', 'yesterday'],
    ['createdAt', '2026-01-01'],
    ['lastModifiedAt', '2026-13-01T00:00:00.000Z'],
    ['id', null],
    ['custom', null],
    ['createdBy', null],
    ['createdBy', { firstName: 'a', lastName: 5 }],
    ['createdBy', { firstName: null, lastName: 'a' }],
    ['lastModifiedBy', { firstName: 5, lastName: 'a' }],
    ['lastModifiedBy', { firstName: 'a', lastName: ['a'] }],
  ] as const
  const wrong = [...values, ...others].map(([name, value]): Sending => {
    const label = `${name}: ${JSON.stringify(value)}`
    return { ...sending, json: { ...json, id: `${run}-broken`, [name]: value }, label }
  })
  await examineRefusals(exam, 'body-refused', wrong)
  await examineJsonBody(exam, async () => sending, [200], true)
  const bare = { path, json }
  await examineQueries(exam, 'refused', [{ queryParameterOne: 'abc' }], bare)
  const twice: readonly RequestQuery[] = [{ queryParameterOne: ['1.5', '2'] }, { queryParameterTwo: ['a', 'b'] }]
  await examineQueries(exam, 'single-valued', twice, sending)
  await examineUnknownParameter(exam, bare)
  await examineMethods(exam, ['GET', 'DELETE'], { path })
  await examineAccess(exam, sending)
}
