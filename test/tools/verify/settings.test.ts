import { expect, it } from 'vitest'
import { toVerifySettings } from '../../../src/edges/cli/commands/verify.ts'
import { SetupError } from '../../../src/errors.ts'

/** The settings of a run. */
function read(flags: object, { url = 'http://127.0.0.1:4010', env = {} } = {}) {
  const settings = toVerifySettings(url, { flags: { ...flags }, env, folder: '/home/me' })
  if (settings.kind !== 'run') throw new Error('These flags do not run anything.')
  return settings
}

it('parses its options', () => {
  expect(
    read({
      token: 'abc',
      allowWrites: true,
      only: ['getAction, lifecycle', 'postComplex'],
      timeout: '5s',
      quick: true,
    }),
  ).toEqual({
    kind: 'run',
    url: 'http://127.0.0.1:4010',
    credentials: { kind: 'token', token: 'abc' },
    project: 'acme',
    otherProject: undefined,
    allowsWrites: true,
    only: ['getAction', 'lifecycle', 'postComplex'],
    reporter: 'pretty',
    verbose: false,
    failOn: 'violations',
    since: undefined,
    timeout: 5000,
    seed: 1,
    isQuick: true,
    replay: undefined,
    mock: undefined,
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
])('reads from the flags %j and the environment %j the credentials %j', (flags, env, credentials) => {
  expect(read(flags, { env }).credentials).toEqual(credentials)
})

it.each([
  [{}, 'verify needs credentials. Use --client id:secret or --token'],
  [{ token: 'a', client: 'b:c' }, '--token and --client are mutually exclusive.'],
  [{ token: 'two words' }, '--token must be a bearer token of printable ASCII characters without spaces.'],
  [{ client: 'shop' }, '--client must be an id and a secret separated by a colon'],
  [{ client: 'a:b', tokenUrl: 'auth' }, '--token-url must be a base URL such as http://127.0.0.1:4010'],
  [{ token: 'a', readOnly: true, replay: 'a.har' }, '--replay and --read-only are mutually exclusive.'],
  [{ token: 'a', replay: 'latest' }, '--replay latest needs --mock'],
  [{ token: 'a', mock: 'http://127.0.0.1:4010' }, 'Add --replay latest, or remove --mock.'],
  [{ token: 'a', readOnly: true, allowWrites: true }, '--read-only and --allow-writes are mutually exclusive.'],
  [{ token: 'a', only: ['getActoin'] }, '--only must be operation ids, anyPath or names of conversations'],
  [{ token: 'a', only: ['getActoin'] }, 'Did you mean "getAction"?'],
  [{ token: 'a', reporter: 'xml' }, '--reporter must be pretty, json, junit or tap, not "xml".'],
  [{ token: 'a', project: 'a/b' }, '--project must be a project key such as acme'],
  [{ token: 'a', otherProject: 'a/b' }, '--other-project must be a project key such as acme'],
  [{ token: 'a', otherProject: 'acme' }, '--other-project must differ from --project, "acme".'],
  [{ token: 'a', timeout: '5' }, '--timeout must be a duration above 0 and up to 10m, with a unit'],
  [{ token: 'a', timeout: '1h' }, '--timeout must be a duration above 0 and up to 10m, with a unit'],
])('refuses %j', (flags, sentence) => {
  expect(() => read(flags)).toThrow(SetupError)
  expect(() => read(flags)).toThrow(sentence)
})

it.each(['127.0.0.1:4010', 'ftp://a', 'http://a/?b', 'http://user:secret@a'])('refuses the URL %j', (url) => {
  expect(() => read({ token: 'a' }, { url })).toThrow('The URL must be a base URL such as http://127.0.0.1:4010')
})

it.each(['', 'a/b', '.', '..'])('refuses the project key %j', (project) => {
  expect(() => read({ token: 'a', project })).toThrow('--project must be a project key such as acme')
})

it('accepts a URL with a path, and with or without a trailing slash', () => {
  expect(read({ token: 'a' }, { url: 'https://a/eu/gcp/' }).url).toBe('https://a/eu/gcp')
})

it('needs a URL, unless it prints the tolerances', () => {
  const sources = { flags: {}, env: {}, folder: '/home/me' }
  expect(() => toVerifySettings('', sources)).toThrow('The argument <url> is missing.')
  expect(toVerifySettings('', { ...sources, flags: { tolerances: true } })).toEqual({ kind: 'tolerances' })
})
