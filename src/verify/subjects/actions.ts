import { complexExample } from '../../contract/models.ts'
import { isEqualContent } from '../../query/fields.ts'
import { checkAnswer, checkOrder, checkTolerated, compareRefusal, findTakenFindings } from '../answers.ts'
import { compare, compareHeader, compareStatus, findUnless, memberOf, show } from '../finding.ts'
import { check, defineSubject } from '../subject.ts'
import { Stop } from '../transport.ts'
import {
  answered,
  anyScope,
  bearer,
  findAccepted,
  heads,
  jsonBody,
  JSON_TYPE,
  methods,
  queried,
  scoped,
} from './common.ts'
import type { Findings, OperationExamination } from '../subject.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'
import type { Finding } from '../report.ts'

/** Sends a GET that succeeds, and checks its answer. */
const get =
  (sending: Sending = {}) =>
  async (exam: OperationExamination) => {
    const answer = await exam.send(sending)
    if (checkAnswer(exam, answer, 200)) checkOrder(exam, answer)
    return { answer, valid: () => sending }
  }

const getting = { ...answered, ...bearer, ...anyScope, head: heads() }
const cart = { order: check('lists the members of the cart in the order of the specification', 'spec 2, D8') }

/** Specification 4.14. */
export const getAction = defineSubject(get())(getting)

/** Specification 4.15. */
export const getActionWithExample = defineSubject(get())({ ...getting, ...cart, method: methods(['POST', 'DELETE']) })

/** Specification 4.14. What the payload was before is put back at the end. */
export const postAction = defineSubject(async ({ provider, cleanup, run }: OperationExamination) => {
  const before = await provider.send('getAction')
  if (before.status !== 200 || before.unreadable !== undefined) {
    throw new Stop('the payload that is there cannot be read, so that it could not be restored')
  }
  cleanup.undo(async (later) => {
    // As text, so that it is restored to the letter.
    const { status } = await later.send('postAction', { headers: JSON_TYPE, body: before.text })
    return status === 200 ? undefined : `The action payload could not be restored: ${status}. It was: ${before.text}`
  })
  const payload = { verify: run, count: 9_007_199_254_740_993n, list: [1, [null, { a: 'b' }]] }
  return { payload, accepted: [200], valid: async () => ({ json: payload }) }
})({
  ...answered,
  ...bearer,
  ...anyScope,
  kept: check(
    'keeps an object, arrays, texts, numbers, true, false and null, empty ones and 0 too, each for GET to answer',
    'D22',
    async (exam) => {
      const { payload, provider, run } = exam
      const texts = [`text of ${run}, Grüße 😀`, '']
      const findings: Finding[] = []
      for (const json of [payload, [1, 'two', payload], [], {}, ...texts, 5.5, 0.1, 0, true, false, null]) {
        const answer = await exam.send({ json, label: show(json) })
        if (!checkAnswer(exam, answer, 200)) continue
        const got = await provider.send('getAction')
        findings.push(...[answer, got].flatMap((one) => (one.status === 200 ? compare(one, [], json, one.body) : [])))
      }
      return findings
    },
  ),
  'own-project': check('keeps a payload for its project alone', 'spec 1, D22', async (exam) => {
    const { tokens, otherProject, run } = exam
    await exam.send(await exam.valid())
    const authorization = (await tokens.only('manage_project', otherProject)) ?? tokens.usual
    const other = await exam.provider.send('getAction', { path: { projectKey: otherProject }, authorization })
    if (other.status !== 200) {
      throw new Stop(`the token does not reach the other project: ${other.request} answered ${other.status}`)
    }
    return findUnless(!other.text.includes(run), other, 'body', 'the payload of that project', run)
  }),
  empty: check('takes an empty body for {}', 'D22', async ({ send }) => {
    const answer = await send({ headers: JSON_TYPE, body: '', label: 'an empty body' })
    return [...compareStatus(answer, 200), ...compare(answer, [], {}, answer.body)]
  }),
  method: methods(['PUT', 'DELETE']),
  ...jsonBody(false),
})

/** A request in a locale, or without one. */
const toSending = (accept: string, locale: string | undefined): Sending => ({
  headers: { Accept: accept, ...(locale === undefined ? {} : { 'Storefront-Locale': locale }) },
  label: `Accept: ${accept}, ${locale === undefined ? 'no Storefront-Locale' : `Storefront-Locale: ${locale}`}`,
})

const inLocale = (locale: string | undefined) => toSending('application/json', locale)
const accepting = (accept: string) => toSending(accept, 'de-DE')

/** Sends what must be refused for want of a header, which the error must name. */
async function refuseWithout(exam: OperationExamination, name: string, sending: Sending): Promise<Findings> {
  const answer = await exam.send(sending)
  const findings = compareRefusal(exam, answer)
  if (findings.length > 0) return findings
  const isNamed = answer.text.toLowerCase().includes(name.toLowerCase())
  return findUnless(isNamed, answer, 'body', `an error that names ${name}`, answer.text)
}

/** Sends what must be taken. */
const takeAll = async (exam: OperationExamination, sendings: readonly Sending[]): Promise<Findings> => {
  const answers = await Promise.all(sendings.map((sending) => exam.send(sending)))
  return answers.flatMap((answer) => findTakenFindings(answer, 200))
}

const languageOf = (locale: string): string => locale.toLowerCase().split(/[-_]/)[0] ?? ''

/** The names of the line items of a cart. */
const namesOf = ({ body }: ProviderAnswer): unknown => {
  const items = memberOf(body, 'lineItems')
  return Array.isArray(items) ? items.map((item) => memberOf(item, 'name')) : []
}

/** Carts in three locales, of which the answer names the language. */
async function readCarts({ send }: OperationExamination) {
  const answers = await Promise.all(
    ['de-DE', 'en-GB', 'fr-FR'].map(async (locale) => ({ locale, answer: await send(inLocale(locale)) })),
  )
  return answers.flatMap(({ locale, answer }) => {
    const tag = answer.headers.get('Content-Language')
    return answer.status === 200 && tag !== null ? [{ locale, answer, tag }] : []
  })
}

/** Specification 4.16. */
export const getActionWithHeaders = defineSubject(get(inLocale('de-DE')))({
  ...getting,
  ...cart,
  method: methods(['POST', 'DELETE'], ({ valid }) => valid()),
  'locale-forms': check('takes de-DE, de_DE and de, and sv-SE, whether it has such a cart or not', 'D23', (exam) =>
    takeAll(exam, ['de-DE', 'de_DE', 'de', 'sv-SE'].map(inLocale)),
  ),
  locale: check(
    'refuses a missing Storefront-Locale, which it names, an empty one, and "not a locale", "1" and "de-": 400',
    'D23',
    async (exam) => [
      ...(await findAccepted(exam, ['', 'not a locale', '1', 'de-'].map(inLocale))),
      ...(await refuseWithout(exam, 'Storefront-Locale', inLocale(undefined))),
    ],
  ),
  language: check(
    'names in Content-Language the language that was asked for, or none, and the same for de_DE as for de-DE',
    'D23',
    async (exam) => {
      const expected = exam.answer.headers.get('Content-Language')
      if (expected === null) throw new Stop('the cart names no Content-Language')
      const carts = await readCarts(exam)
      return [
        ...compareHeader(await exam.send(inLocale('de_DE')), 'Content-Language', expected),
        ...carts.flatMap(({ locale, answer, tag }) =>
          findUnless(languageOf(tag) === languageOf(locale), answer, 'Content-Language', locale, tag),
        ),
      ]
    },
  ),
  translation: check(
    'has line items of other names if Content-Language names another language',
    'D23',
    async (exam) => {
      const carts = new Map((await readCarts(exam)).map(({ tag, answer }) => [languageOf(tag), answer]))
      if (carts.size < 2) throw new Stop('no carts of two languages were named in Content-Language')
      const names = [...carts.values()].map((answer) => ({ answer, text: show(namesOf(answer)) }))
      return names.flatMap(({ answer, text }, at) => {
        const isOther = text === '[]' || !names.slice(0, at).some((one) => one.text === text)
        return findUnless(isOther, answer, 'lineItems', 'other names than in another language', text)
      })
    },
  ),
  'accept-forms': check('takes an Accept of */*, application/* and application/json;q=0.1', 'D23', (exam) =>
    takeAll(exam, ['*/*', 'application/*', 'text/html, application/json;q=0.1'].map(accepting)),
  ),
  accept: check('refuses an Accept of text/html, image/png and application/json;q=0 with 406', 'D23', (exam) =>
    findAccepted(exam, ['text/html', 'image/png', 'application/json;q=0'].map(accepting), 406),
  ),
  'no-accept': check('refuses a request without Accept, which it names: 400', 'D23', (exam) =>
    refuseWithout(exam, 'Accept', { headers: { ...exam.valid().headers, Accept: null }, label: 'no Accept' }),
  ),
})

const WRONG_MEMBERS = [
  ...Object.keys(complexExample).map((name) => [name, name.endsWith('By') ? 'text' : 5] as const),
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

/** Specification 4.9. */
export const postComplex = defineSubject(async (exam: OperationExamination) => {
  const { run } = exam
  const json = { ...complexExample, id: run, key: run }
  const path = { uriParameterOne: run, uriParameterTwo: 'two' }
  const sending = { path, query: { queryParameterOne: '1.5', queryParameterTwo: 'a' }, json }
  const first = await exam.send(sending)
  const again = await exam.send(sending)
  checkAnswer(exam, first, 201)
  checkAnswer(exam, again, 200)
  return { json, path, sending, first, again, accepted: [200], valid: async () => ({ path, json }) }
})({
  ...answered,
  ...bearer,
  ...scoped('D30'),
  'unknown-member': check(
    'ignores undocumented members, also in createdBy; a strict service refuses them: 400',
    'D4',
    async (exam) => {
      const { sending, json } = exam
      const createdBy = { ...complexExample.createdBy, verifyUnknown: 'a' }
      const outside = { ...sending, json: { ...json, verifyUnknown: 'a' }, label: 'the member verifyUnknown' }
      const inside = { ...sending, json: { ...json, createdBy }, label: 'createdBy.verifyUnknown' }
      const answers = [await exam.send(outside), await exam.send(inside)]
      return answers.flatMap((answer) => checkTolerated(exam, answer, () => compareStatus(answer, 200)))
    },
  ),
  ...queried('queryParameterOne', [{ queryParameterOne: 'abc' }], 'queryParameterOne and queryParameterTwo', {
    queryParameterOne: ['1.5', '2'],
    queryParameterTwo: ['a', 'b'],
  }),
  repeat: check('answers 201 to a new id, and 200 to the same again, whatever the query', 'D16', async (exam) => {
    const third = await exam.send({ ...exam.sending, query: { queryParameterTwo: 'b' } })
    return [...compareStatus(exam.first, 201), ...[exam.again, third].flatMap((answer) => compareStatus(answer, 200))]
  }),
  'other-path': check(
    'answers 201 to the same id with another uriParameterOne or uriParameterTwo',
    'D16',
    async ({ sending, path, run, send }) => [
      ...compareStatus(await send({ ...sending, path: { ...path, uriParameterTwo: 'three' } }), 201),
      ...compareStatus(await send({ ...sending, path: { ...path, uriParameterOne: `${run}-three` } }), 201),
    ],
  ),
  'no-id': check('answers 201 each time to a body without id', 'D16', async ({ json, path, send, isStrict }) => {
    const { id: _, ...idless } = json
    const answers = [
      await send({ path, json: idless, label: 'no id' }),
      await send({ path, json: idless, label: 'no id, again' }),
    ]
    // A strict provider wants all sixteen members (D17).
    return answers.flatMap((answer) => compareStatus(answer, isStrict === true ? 400 : 201))
  }),
  optional: check('takes a body with no member; a strict service refuses it: 400', 'D17', async (exam) => {
    const answer = await exam.send({ path: exam.path, json: {}, label: 'no member' })
    return checkTolerated(exam, answer, () => compareStatus(answer, 201))
  }),
  alternatives: check('has two payloads for 203', 'D16', async (exam) => {
    const prefer = (name: string) => exam.send({ ...exam.sending, headers: { Prefer: `code=203, example=${name}` } })
    const [one, two] = [await prefer('custom1'), await prefer('custom2')]
    if (one.status !== 203 || two.status !== 203) {
      throw new Stop('what yields 203 is not documented, and the provider does not take `Prefer: code=203`')
    }
    for (const answer of [one, two]) checkAnswer(exam, answer, 203)
    return findUnless(!isEqualContent(one.body, two.body), two, 'body', 'another payload than custom1', 'the same')
  }),
  'body-refused': check(
    'refuses each of the sixteen members, firstName and lastName of the wrong type or null, and a createdAt that is not a date-time: 400',
    'spec 2, D17',
    (exam) => {
      const { sending, json, run } = exam
      const wrong = WRONG_MEMBERS.map(([name, value]): Sending => {
        const label = `${name}: ${JSON.stringify(value)}`
        return { ...sending, json: { ...json, id: `${run}-broken`, [name]: value }, label }
      })
      return findAccepted(exam, wrong)
    },
  ),
  method: methods(['GET', 'DELETE'], ({ path }) => ({ path })),
  ...jsonBody(true),
})
