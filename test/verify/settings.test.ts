import { expect, it } from 'vitest'
import { toVerifySettings } from '../../src/cli/verify-settings.ts'
import { SetupError } from '../../src/errors.ts'

const defaults = { project: 'acme', reporter: 'pretty', timeout: '10s' }

const read = (flags: object, { url = 'http://127.0.0.1:4010', env = {} } = {}) =>
  toVerifySettings(url, { ...defaults, ...flags }, { env, folder: '/home/me' })

it('reads what was typed', () => {
  expect(
    read({ token: 'abc', allowWrites: true, only: ['getAction, postAction', 'postComplex'], timeout: '5s' }),
  ).toEqual({
    url: 'http://127.0.0.1:4010',
    credentials: { kind: 'token', token: 'abc' },
    project: 'acme',
    otherProject: undefined,
    allowsWrites: true,
    only: ['getAction', 'postAction', 'postComplex'],
    reporter: 'pretty',
    timeout: 5000,
  })
})

it('writes nothing unless it is allowed to', () => {
  expect([read({ token: 'a' }).allowsWrites, read({ token: 'a', readOnly: true }).allowsWrites]).toEqual([false, false])
})

const token = { RESOURCE_MOCK_VERIFY_TOKEN: 'from-env' }
const client = { RESOURCE_MOCK_VERIFY_CLIENT: 'shop:env' }

it.each([
  [{ client: 'shop:secret' }, {}, { kind: 'client', client: 'shop:secret' }],
  [
    { client: 'shop:a:b', tokenUrl: 'https://auth.example/oauth/token' },
    {},
    { kind: 'client', client: 'shop:a:b', tokenUrl: 'https://auth.example/oauth/token' },
  ],
  [{}, token, { kind: 'token', token: 'from-env' }],
  [{}, client, { kind: 'client', client: 'shop:env' }],
  [{ client: 'shop:secret' }, token, { kind: 'client', client: 'shop:secret' }],
  [{ token: 'abc' }, client, { kind: 'token', token: 'abc' }],
  [{ token: 'abc' }, { RESOURCE_MOCK_VERIFY_TOKEN: '' }, { kind: 'token', token: 'abc' }],
])('asks, by the flags %j and the environment %j, as %j', (flags, env, credentials) => {
  expect(read(flags, { env }).credentials).toEqual(credentials)
})

it.each([
  [{}, 'verify has no token to ask with. Give --client id:secret, or --token'],
  [{ token: 'a', client: 'b:c' }, 'Both --token and --client are given.'],
  [{ token: 'two words' }, '--token is no bearer token: it is empty, or has characters that no header may carry.'],
  [{ client: 'shop' }, '--client is not an id and a secret with a colon between.'],
  [{ client: 'a:b', tokenUrl: 'auth' }, '--token-url is "auth", which is no base URL.'],
  [{ token: 'a', readOnly: true, allowWrites: true }, 'Both --read-only and --allow-writes are given.'],
  [{ token: 'a', only: ['getActoin'] }, '--only is "getActoin", which is not known.'],
  [{ token: 'a', only: ['getActoin'] }, 'Did you mean "getAction"?'],
  [{ token: 'a', reporter: 'xml' }, '--reporter is "xml", which is not known. Give one of: pretty, json, junit, tap.'],
  [{ token: 'a', project: 'a/b' }, '--project is "a/b", which is no project key.'],
  [{ token: 'a', otherProject: 'a/b' }, '--other-project is "a/b", which is no project key.'],
  [{ token: 'a', otherProject: 'acme' }, '--other-project is "acme", which is --project too.'],
  [{ token: 'a', timeout: '5' }, '--timeout is "5", which is no duration.'],
  [{ token: 'a', timeout: '1h' }, '--timeout is "1h", which is too long. Give at most 10m.'],
])('refuses %j', (flags, sentence) => {
  expect(() => read(flags)).toThrow(SetupError)
  expect(() => read(flags)).toThrow(sentence)
})

it.each(['127.0.0.1:4010', 'ftp://a', 'http://a/?b', 'http://user:secret@a', ''])('refuses the URL %j', (url) => {
  expect(() => read({ token: 'a' }, { url })).toThrow('which is no base URL')
})

it.each(['', 'a/b', '.', '..'])('refuses the project key %j', (project) => {
  expect(() => read({ token: 'a', project })).toThrow('which is no project key')
})

it('takes an URL with a path, and with or without a slash at its end', () => {
  expect(read({ token: 'a' }, { url: 'https://a/eu/gcp/' }).url).toBe('https://a/eu/gcp')
})
