import { complexExample } from '../../../service/contract/models.ts'
import { isEqualContent } from '../../../service/query/fields.ts'
import { checkStatus, checkOrder, checkTolerated, compareRefusal, findTakenFindings } from '../answers.ts'
import { compare, compareParts, compareStatus, findInTurn, findUnless, memberOf, toStop } from '../finding.ts'
import { show } from '../../../service/contract/check-response.ts'
import { check, defineSubject } from '../subject.ts'
import { Stop } from '../transport.ts'
import { answered, anyScope, bearer, findAccepted, heads, jsonBody, JSON_TYPE, methods, scoped } from './common.ts'
import { queried, unknownParameters } from './parameters.ts'
import type { Findings, OperationContext } from '../subject.ts'
import type { ProviderAnswer, Sending } from '../provider.ts'

/** Sends a GET that must succeed, and checks the response. */
const get =
  (sending: Sending = {}) =>
  async (context: OperationContext) => {
    const answer = await context.send(sending)
    if (checkStatus(context, answer, 200)) checkOrder(context, answer)
    return { answer, valid: () => sending }
  }

const getting = { ...answered, ...bearer, ...anyScope, head: heads() }
const cart = { order: check('returns the members of the cart in the order of the specification', 'spec 2, D8') }

/** Specification 4.14. */
export const getAction = defineSubject(get())(getting)

/** Specification 4.15. */
export const getActionWithExample = defineSubject(get())({ ...getting, ...cart, method: methods(['POST', 'DELETE']) })

/** Specification 4.14. Cleanup restores the previous payload. */
export const postAction = defineSubject(async ({ provider, cleanup, run }: OperationContext) => {
  const before = await provider.send('getAction')
  if (before.status !== 200) throw toStop(before, 200)
  if (before.unreadable !== undefined) {
    throw new Stop('the current payload cannot be read, so it could not be restored')
  }
  cleanup.undo(async (later) => {
    // As text, so that the restored payload is identical.
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
    'stores objects, arrays, strings, numbers, true, false and null, also empty values and 0, so that GET returns them',
    'D22',
    async (context) => {
      const { payload, provider, run } = context
      const texts = [`text of ${run}, Grüße 😀`, '']
      const payloads = [payload, [1, 'two', payload], [], {}, ...texts, 5.5, 0.1, 0, true, false, null]
      return findInTurn(payloads, async (json) => {
        const answer = await context.send({ json, label: show(json) })
        if (!checkStatus(context, answer, 200)) return []
        const got = await provider.send('getAction')
        return [answer, got].flatMap((one) => (one.status === 200 ? compare(one, [], json, one.body) : []))
      })
    },
  ),
  'own-project': check('stores a payload per project', 'spec 1, D22', async (context) => {
    const { tokens, otherProject, run } = context
    await context.send(await context.valid())
    const authorization = (await tokens.only('manage_project', otherProject)) ?? tokens.usual
    const other = await context.provider.send('getAction', { path: { projectKey: otherProject }, authorization })
    if (other.status !== 200) {
      throw new Stop(`the token has no access to the other project: ${other.request} returned ${other.status}`)
    }
    return findUnless(!other.text.includes(run), other, 'body', 'the payload of the other project', run)
  }),
  empty: check('accepts an empty body as {}', 'D22', async ({ send }) => {
    const answer = await send({ headers: JSON_TYPE, body: '', label: 'an empty body' })
    return [...compareStatus(answer, 200), ...compare(answer, [], {}, answer.body)]
  }),
  method: methods(['PUT', 'DELETE']),
  ...jsonBody(false),
})

/** A request for a locale, or without one. */
const toSending = (accept: string, locale: string | undefined): Sending => ({
  headers: { Accept: accept, ...(locale === undefined ? {} : { 'Storefront-Locale': locale }) },
  label: `Accept: ${accept}, ${locale === undefined ? 'no Storefront-Locale' : `Storefront-Locale: ${locale}`}`,
})

const inLocale = (locale: string | undefined) => toSending('application/json', locale)
const accepting = (accept: string) => toSending(accept, 'de-DE')

/** Sends a request that must be rejected because of a missing header, and expects the error to name the header. */
async function refuseWithout(context: OperationContext, name: string, sending: Sending): Promise<Findings> {
  const answer = await context.send(sending)
  const findings = compareRefusal(context, answer)
  if (findings.length > 0) return findings
  const isNamed = answer.text.toLowerCase().includes(name.toLowerCase())
  return findUnless(isNamed, answer, 'body', `an error that names ${name}`, answer.text)
}

/** Sends requests that must be accepted. */
const takeAll = async (context: OperationContext, sendings: readonly Sending[]): Promise<Findings> => {
  const answers = await Promise.all(sendings.map((sending) => context.send(sending)))
  return answers.flatMap((answer) => findTakenFindings(answer, 200))
}

const languageOf = (locale: string): string => locale.toLowerCase().split(/[-_]/)[0] ?? ''

/** The names of the line items in a cart. */
const namesOf = ({ body }: ProviderAnswer): unknown => {
  const items = memberOf(body, 'lineItems')
  return Array.isArray(items) ? items.map((item) => memberOf(item, 'name')) : []
}

/** Requests carts in three locales; returns those whose response has a Content-Language. */
async function readCarts({ send }: OperationContext) {
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
  'locale-forms': check('accepts de-DE, de_DE, de and sv-SE, even without a cart for that locale', 'D23', (context) =>
    takeAll(context, ['de-DE', 'de_DE', 'de', 'sv-SE'].map(inLocale)),
  ),
  locale: check(
    'returns 400 for a missing Storefront-Locale, naming the header, and for an empty one, "not a locale", "1" and "de-"',
    'D23',
    async (context) => [
      ...(await findAccepted(context, ['', 'not a locale', '1', 'de-'].map(inLocale))),
      ...(await refuseWithout(context, 'Storefront-Locale', inLocale(undefined))),
    ],
  ),
  language: check(
    'returns the requested language in Content-Language, if any, and the same value for de_DE and de-DE',
    'D23',
    async (context) => {
      const expected = context.answer.headers.get('Content-Language')
      if (expected === null) throw new Stop('the response has no Content-Language')
      const carts = await readCarts(context)
      return [
        ...compareParts(await context.send(inLocale('de_DE')), { headers: { 'Content-Language': expected } }),
        ...carts.flatMap(({ locale, answer, tag }) =>
          findUnless(languageOf(tag) === languageOf(locale), answer, 'Content-Language', locale, tag),
        ),
      ]
    },
  ),
  translation: check('returns different line item names when Content-Language differs', 'D23', async (context) => {
    const carts = new Map((await readCarts(context)).map(({ tag, answer }) => [languageOf(tag), answer]))
    if (carts.size < 2) throw new Stop('no two carts had different languages in Content-Language')
    const names = [...carts.values()].map((answer) => ({ answer, text: show(namesOf(answer)) }))
    return names.flatMap(({ answer, text }, at) => {
      const isOther = text === '[]' || !names.slice(0, at).some((one) => one.text === text)
      return findUnless(isOther, answer, 'lineItems', 'names that differ between languages', text)
    })
  }),
  'accept-forms': check('accepts the Accept values */*, application/* and application/json;q=0.1', 'D23', (context) =>
    takeAll(context, ['*/*', 'application/*', 'text/html, application/json;q=0.1'].map(accepting)),
  ),
  accept: check('returns 406 for the Accept values text/html, image/png and application/json;q=0', 'D23', (context) =>
    findAccepted(context, ['text/html', 'image/png', 'application/json;q=0'].map(accepting), 406),
  ),
  'no-accept': check('returns 400 for a request without Accept, naming the header', 'D23', (context) =>
    refuseWithout(context, 'Accept', { headers: { ...context.valid().headers, Accept: null }, label: 'no Accept' }),
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
export const postComplex = defineSubject(async (context: OperationContext) => {
  const { run } = context
  const json = { ...complexExample, id: run, key: run }
  const path = { uriParameterOne: run, uriParameterTwo: 'two' }
  const sending = { path, query: { queryParameterOne: '1.5', queryParameterTwo: 'a' }, json }
  const first = await context.send(sending)
  const again = await context.send(sending)
  checkStatus(context, first, 201)
  checkStatus(context, again, 200)
  return { json, path, sending, first, again, accepted: [200], valid: async () => ({ path, json }) }
})({
  ...answered,
  ...bearer,
  ...scoped('D30'),
  'unknown-member': check(
    'ignores undocumented members, also in createdBy; a strict service rejects them with 400',
    'D4',
    async (context) => {
      const { sending, json } = context
      const createdBy = { ...complexExample.createdBy, verifyUnknown: 'a' }
      const outside = { ...sending, json: { ...json, verifyUnknown: 'a' }, label: 'the member verifyUnknown' }
      const inside = { ...sending, json: { ...json, createdBy }, label: 'createdBy.verifyUnknown' }
      const answers = [await context.send(outside), await context.send(inside)]
      return answers.flatMap((answer) => checkTolerated(context, answer, () => compareStatus(answer, 200)))
    },
  ),
  ...queried('postComplex'),
  ...unknownParameters,
  repeat: check(
    'returns 201 for a new id, and 200 when it is sent again, whatever the query',
    'D16',
    async (context) => {
      const third = await context.send({ ...context.sending, query: { queryParameterTwo: 'b' } })
      return [
        ...compareStatus(context.first, 201),
        ...[context.again, third].flatMap((answer) => compareStatus(answer, 200)),
      ]
    },
  ),
  'other-path': check(
    'returns 201 for the same id with another uriParameterOne or uriParameterTwo',
    'D16',
    async ({ sending, path, run, send }) => [
      ...compareStatus(await send({ ...sending, path: { ...path, uriParameterTwo: 'three' } }), 201),
      ...compareStatus(await send({ ...sending, path: { ...path, uriParameterOne: `${run}-three` } }), 201),
    ],
  ),
  'no-id': check('returns 201 each time for a body without id', 'D16', async ({ json, path, send, isStrict }) => {
    const { id: _, ...idless } = json
    const answers = [
      await send({ path, json: idless, label: 'no id' }),
      await send({ path, json: idless, label: 'no id, again' }),
    ]
    // A strict provider requires all sixteen members (D17).
    return answers.flatMap((answer) => compareStatus(answer, isStrict === true ? 400 : 201))
  }),
  optional: check('accepts a body without members; a strict service rejects it with 400', 'D17', async (context) => {
    const answer = await context.send({ path: context.path, json: {}, label: 'no member' })
    return checkTolerated(context, answer, () => compareStatus(answer, 201))
  }),
  alternatives: check('has two example payloads for 203', 'D16', async (context) => {
    const prefer = (name: string) =>
      context.send({ ...context.sending, headers: { Prefer: `code=203, example=${name}` } })
    const [one, two] = [await prefer('custom1'), await prefer('custom2')]
    if (one.status !== 203 || two.status !== 203) {
      throw new Stop('the trigger for 203 is not documented, and the provider does not support `Prefer: code=203`')
    }
    for (const answer of [one, two]) checkStatus(context, answer, 203)
    return findUnless(!isEqualContent(one.body, two.body), two, 'body', 'a payload other than custom1', 'the same')
  }),
  'body-refused': check(
    'returns 400 for a wrong type or null in any of the sixteen members, firstName or lastName, and a createdAt that is not a date-time',
    'spec 2, D17',
    (context) => {
      const { sending, json, run } = context
      const wrong = WRONG_MEMBERS.map(([name, value]): Sending => {
        const label = `${name}: ${JSON.stringify(value)}`
        return { ...sending, json: { ...json, id: `${run}-broken`, [name]: value }, label }
      })
      return findAccepted(context, wrong)
    },
  ),
  method: methods(['GET', 'DELETE'], ({ path }) => ({ path })),
  ...jsonBody(true),
})
