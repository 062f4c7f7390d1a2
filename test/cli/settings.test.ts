import { describe, expect, it } from 'vitest'
import type { ConfigFile } from '../../src/cli/config-file.ts'
import { resolveSettings } from '../../src/cli/settings.ts'
import type { Sources } from '../../src/cli/settings.ts'
import { SetupError } from '../../src/errors.ts'

const config = (members: Readonly<Record<string, unknown>>): ConfigFile => ({
  name: 'resource-mock.config.json',
  folder: '/project/config',
  members,
})

const settle = (sources: Partial<Sources>) =>
  resolveSettings({ flags: {}, env: {}, config: undefined, folder: '/project', ...sources })

describe('precedence', () => {
  it('has a default for what nobody sets', () => {
    expect(settle({})).toEqual({
      port: 4010,
      host: '127.0.0.1',
      auth: 'lenient',
      identity: 'header',
      generate: 0,
      seed: 1,
      delay: { from: 0, to: 0 },
      journal: 1000,
      journalBytes: 67_108_864,
      imageBytes: 104_857_600,
      maxSessions: 1000,
      sessionTtl: 3_600_000,
      cors: 'any',
      maxBody: 10_485_760,
    })
  })

  it.each([
    ['a flag wins over all', { flags: { port: '1' }, env: { PORT: '2' }, config: config({ port: 3 }) }, 1],
    ['the environment wins over the configuration file', { env: { PORT: '2' }, config: config({ port: 3 }) }, 2],
    ['the configuration file wins over the default', { config: config({ port: 3 }) }, 3],
    ['an empty variable counts as unset', { env: { PORT: '' }, config: config({ port: 3 }) }, 3],
  ])('%s', (_rule, sources, port) => {
    expect(settle(sources).port).toBe(port)
  })

  it.each([
    ['PORT', '8080', 'port', 8080],
    ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
    ['RESOURCE_MOCK_TOKEN_SECRET', 'hush', 'tokenSecret', 'hush'],
    ['RESOURCE_MOCK_ADMIN_TOKEN', 'hush', 'adminToken', 'hush'],
    ['RESOURCE_MOCK_SCENARIO', 'conflict,slow', 'scenario', ['conflict,slow']],
  ] as const)('reads %s', (variable, text, name, value) => {
    expect(settle({ env: { [variable]: text } })[name]).toEqual(value)
  })

  it('takes a list whole from one source', () => {
    expect(settle({ flags: { client: ['a:1', 'b:2'] }, config: config({ client: ['c:3'] }) }).client).toEqual([
      'a:1',
      'b:2',
    ])
  })
})

describe('configuration file', () => {
  it('takes every option, as JSON writes it', () => {
    const members = {
      port: 5000,
      host: '::1',
      scenario: ['conflict', 'slow'],
      scenarios: 'failures',
      fixtures: 'mine',
      watch: true,
      auth: 'strict',
      tokenSecret: 'hush',
      strict: true,
      identity: 'body',
      generate: 5,
      seed: 7,
      clock: '2026-01-31T12:00:00Z',
      persist: './state.json',
      delay: 300,
      client: ['a:1', 'b:2'],
      journal: 0,
      journalBytes: 1024,
      imageBytes: 2048,
      maxSessions: 10,
      sessionTtl: '10m',
      cors: ['http://a.test', 'http://b.test'],
      maxBody: 1024,
      admin: false,
      redact: ['email'],
      adminToken: 'hush',
      adminOrigin: ['http://a.test', 'http://b.test'],
      tlsCert: 'cert.pem',
      tlsKey: '../key.pem',
      log: 'silent',
    }
    expect(settle({ config: config(members) })).toEqual({
      ...members,
      fixtures: '/project/config/mine',
      scenarios: '/project/config/failures',
      persist: '/project/config/state.json',
      delay: { from: 300, to: 300 },
      sessionTtl: 600_000,
      tlsCert: '/project/config/cert.pem',
      tlsKey: '/project/key.pem',
    })
  })

  it.each([
    ['cors false is --no-cors', { cors: false }, { cors: 'off' }],
    ['one scenario needs no list', { scenario: 'conflict, slow' }, { scenario: ['conflict, slow'] }],
    ['one client needs no list', { client: 'a:1' }, { client: ['a:1'] }],
    ['strict false is off', { strict: false }, { strict: false }],
    ['a delay may be a span', { delay: '100-500' }, { delay: { from: 100, to: 500 } }],
  ])('%s', (_rule, members, settled) => {
    expect(settle({ config: config(members) })).toMatchObject(settled)
  })

  it('settles only what is asked for', () => {
    const sources = { env: { PORT: 'abc' }, config: config({ scenarios: 'mine' }), flags: {}, folder: '/project' }
    expect(resolveSettings(sources, ['scenarios'])).toEqual({ scenarios: '/project/config/mine' })
  })

  it.each([
    ['a path of a flag starts in the working folder', { flags: { persist: 'state.json' } }, '/project/state.json'],
    [
      'a path of the file starts in its own folder',
      { config: config({ persist: 'state.json' }) },
      '/project/config/state.json',
    ],
  ])('%s', (_rule, sources, path) => {
    expect(settle(sources).persist).toBe(path)
  })
})

describe('refuses', () => {
  it.each<readonly [string, Partial<Sources>, string]>([
    [
      'an unknown member, with a near one',
      { config: config({ prot: 1 }) },
      'Unknown option "prot" in resource-mock.config.json. Did you mean "port"?',
    ],
    ['a member spelt as its flag', { config: config({ 'session-ttl': '1h' }) }, 'Did you mean "sessionTtl"?'],
    ['a member named as what objects inherit', { config: config({ constructor: 1 }) }, 'Unknown option "constructor"'],
    ['a bad value of a flag, by its name', { flags: { sessionTtl: '1w' } }, '--session-ttl is "1w", '],
    ['a bad value of a variable, by its name', { env: { PORT: 'abc' } }, 'The environment variable PORT is "abc", '],
    [
      'a bad value of the file, by its member',
      { config: config({ port: 'abc' }) },
      '"port" in resource-mock.config.json is "abc", ',
    ],
    [
      'a switch that is no boolean',
      { config: config({ strict: 'yes' }) },
      '"strict" in resource-mock.config.json is "yes", which is not true or false.',
    ],
    [
      'a value that is an object',
      { config: config({ delay: { from: 1 } }) },
      '"delay" in resource-mock.config.json is {"from":1}, which is not a string or a number.',
    ],
    ['a value that is null', { config: config({ port: null }) }, '"port" in resource-mock.config.json is null, '],
    [
      'true for what takes a value',
      { config: config({ cors: true }) },
      '"cors" in resource-mock.config.json is true, ',
    ],
    ['two values for one', { config: config({ port: [1, 2] }) }, '"port" in resource-mock.config.json is "1,2", '],
    ['a bad value in a list', { flags: { client: ['a:1', 'b'] } }, '--client is not an id and a secret'],
  ])('%s', (_rule, sources, sentence) => {
    expect(() => settle(sources)).toThrow(SetupError)
    expect(() => settle(sources)).toThrow(sentence)
  })
})
