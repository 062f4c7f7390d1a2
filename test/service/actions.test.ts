import { beforeEach, describe, expect, it } from 'vitest'
import { createClient, errorOf } from '../support/client.ts'
import type { CallHeaders, Client } from '../support/client.ts'

const action = '/acme/resource/namespace-action'
const example = `${action}-with-example`
const localized = `${action}-with-headers`
const JSON_TYPE = { 'Content-Type': 'application/json' }

let client: Client
beforeEach(async () => {
  client = await createClient()
})

describe('the action', () => {
  it('returns the fixture initially', async () => {
    const own = await createClient({ fixtures: { 'action.json': '{"first": [9223372036854775807]}' } })
    expect((await own.get(action)).text).toBe('{"first":[9223372036854775807]}')
  })

  it.each(['{"a":1}', '[]', 'null', '"text"', '9223372036854775807', 'false', ' {"spaced" : [ 1.0 ] } '])(
    'stores %s and returns it',
    async (text) => {
      const posted = await client.send('POST', action, JSON_TYPE, text)
      expect([posted.status, posted.text, posted.headers.get('X-Mock-Warning')]).toEqual([200, text, null])
      expect((await client.get(action)).text).toBe(text)
    },
  )

  it.each([
    ['nothing', null, {}],
    ['an empty JSON body', '', JSON_TYPE],
    ['an empty text body', '', { 'Content-Type': 'text/plain' }],
    ['white space', ' \n', JSON_TYPE],
  ])('treats %s as {}', async (_case, body, headers) => {
    const posted = await client.send('POST', action, headers, body ?? undefined)
    expect([posted.status, posted.text]).toEqual([200, '{}'])
    expect((await client.get(action)).text).toBe('{}')
  })

  it('belongs to its project', async () => {
    await client.post('/other/resource/namespace-action', { other: true })
    expect((await client.get(action)).body).not.toEqual({ other: true })
  })

  it.each<[string, string, CallHeaders, number]>([
    ['invalid JSON', '{', JSON_TYPE, 400],
    ['a duplicate name', '{"a":1,"a":2}', JSON_TYPE, 400],
    ['another media type', 'a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
  ])('refuses %s, and keeps the stored value', async (_case, text, headers, status) => {
    await client.post(action, { kept: true })
    expect((await client.send('POST', action, headers, text)).status).toBe(status)
    expect((await client.get(action)).body).toEqual({ kept: true })
  })
})

describe('the cart', () => {
  it('is the fixture', async () => {
    const { status, body, headers } = await client.get(example)
    expect(status).toBe(200)
    expect(body).toMatchObject({ cartId: expect.any(String), lineItems: expect.any(Array) })
    expect(headers.has('Content-Language')).toBe(false)
  })

  const cartOf = (cartId: string) => ({
    cartId,
    cartVersion: '1',
    lineItems: [],
    sum: { fractionDigits: 2, centAmount: 0, currencyCode: 'EUR' },
    shippingAddress: {},
    billingAddress: {},
    payments: [],
    discountCodes: [],
  })
  const fixtures = Object.fromEntries(
    ['cart', 'cart.de-DE', 'cart.en-GB', 'cart.fr', 'cart.sr-Cyrl', 'cart.zh-Hans', 'cart.zh-Hant'].map((name) => [
      `${name}.json`,
      JSON.stringify(cartOf(name)),
    ]),
  )

  it.each([
    ['de-DE', 'cart.de-DE', 'de-DE'],
    ['de_DE', 'cart.de-DE', 'de-DE'],
    ['DE-de', 'cart.de-DE', 'de-DE'],
    ['fr', 'cart.fr', 'fr'],
    ['fr-CH', 'cart.fr', 'fr'],
    ['en-GB', 'cart.en-GB', 'en-GB'],
    ['de', 'cart.de-DE', 'de-DE'],
    ['de-AT', 'cart.de-DE', 'de-DE'],
    // the look-up of RFC 4647, section 3.4
    ['zh-Hant-TW', 'cart.zh-Hant', 'zh-Hant'],
    ['zh_hant_tw', 'cart.zh-Hant', 'zh-Hant'],
    ['zh-Hans-CN-a-variant-x-private', 'cart.zh-Hans', 'zh-Hans'],
    ['zh-TW', 'cart.zh-Hans', 'zh-Hans'],
    ['sr-Cyrl-RS-u-co-standard', 'cart.sr-Cyrl', 'sr-Cyrl'],
    ['de-DE-u-co-phonebk', 'cart.de-DE', 'de-DE'],
    ['it', 'cart', null],
    ['es-ES', 'cart', null],
  ])('for locale %s is %s', async (locale, cartId, language) => {
    const own = await createClient({ fixtures })
    const { status, body, headers } = await own.get(localized, { Accept: '*/*', 'Storefront-Locale': locale })
    expect([status, body, headers.get('Content-Language')]).toEqual([200, cartOf(cartId), language])
    expect(headers.get('Vary')).toContain('Storefront-Locale')
  })

  it.each([
    'd',
    'german',
    'de-',
    '-DE',
    'de--DE',
    '12',
    'de DE',
    '*',
    'de;q=1',
    'de,en',
    '../../cart',
    'de-x',
    'de-u',
    'de-123456789',
  ])('refuses the locale %j', async (locale) => {
    expect(errorOf(await client.get(localized, { Accept: '*/*', 'Storefront-Locale': locale }))).toMatchObject({
      status: 400,
      code: 'InvalidField',
      field: 'Storefront-Locale',
      message: expect.stringContaining('is not a locale. Use one such as de-DE, de_DE or de.'),
    })
  })

  it.each<[string, CallHeaders]>([
    ['Storefront-Locale', { Accept: '*/*' }],
    ['Storefront-Locale', { Accept: '*/*', 'Storefront-Locale': ' ' }],
    ['Accept', { 'Storefront-Locale': 'de' }],
  ])('requires the header %s', async (field, headers) => {
    expect(errorOf(await client.get(localized, headers))).toMatchObject({ status: 400, code: 'RequiredField', field })
  })

  it.each([
    ['application/json', 200],
    ['application/*', 200],
    ['*/*', 200],
    ['text/html, */*;q=0.1', 200],
    ['text/html', 406],
    ['application/xml;q=0.9', 406],
    ['application/json;q=0', 406],
    ['*/*, application/json;q=0', 406],
  ])('responds to Accept: %s with %i', async (accept, status) => {
    const reply = await client.get(localized, { Accept: accept, 'Storefront-Locale': 'de' })
    expect(reply.status).toBe(status)
    if (status === 406)
      expect(errorOf(reply)).toMatchObject({ code: 'InvalidInput', allowedValues: ['application/json'] })
  })
})
