import { describe, expect, it } from 'vitest'
import type { ConfigFile } from '../../../src/edges/cli/config-file.ts'
import type { SettingSources } from '../../../src/edges/cli/settings.ts'
import { resolveOptions } from '../../../src/edges/cli/settings.ts'
import { SetupError } from '../../../src/errors.ts'
import { toConfigName } from '../../../src/app/options/option.ts'
import type { MockOption } from '../../../src/app/options/option.ts'
import { options } from '../../../src/app/options/table.ts'

const config = (members: Readonly<Record<string, unknown>>): ConfigFile => ({
  name: 'resource-mock.config.json',
  folder: '/project/config',
  members,
})

const settle = (sources: Partial<SettingSources>) =>
  resolveOptions(options, { flags: {}, env: {}, folder: '/project', ...sources })

describe('precedence', () => {
  it('uses the defaults for everything that is not set', () => {
    expect(settle({})).toEqual({
      port: 4010,
      host: '127.0.0.1',
      auth: 'lenient',
      identity: 'header',
      generate: 0,
      seed: 1,
      delay: { from: 0, to: 0 },
      journal: 1000,
      memory: 536_870_912,
      maxSessions: 1000,
      sessionTtl: 3_600_000,
      cors: 'any',
      maxBody: 1_048_576,
      admin: true,
      detach: false,
      drain: 0,
      open: false,
      storeWait: 30_000,
      strict: false,
      checkResponses: false,
      watch: false,
    })
  })

  it.each([
    [
      'a flag takes precedence over everything',
      { flags: { port: '1' }, env: { PORT: '2' }, config: config({ port: 3 }) },
      1,
    ],
    [
      'the environment takes precedence over the configuration file',
      { env: { PORT: '2' }, config: config({ port: 3 }) },
      2,
    ],
    ['the configuration file takes precedence over the default', { config: config({ port: 3 }) }, 3],
    ['an empty variable counts as unset', { env: { PORT: '' }, config: config({ port: 3 }) }, 3],
  ])('%s', (_rule, sources, port) => {
    expect(settle(sources).port).toBe(port)
  })

  it.each([
    ['PORT', '8080', 'port', 8080],
    ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
    ['RESOURCE_MOCK_TOKEN_SECRET', 'hush', 'tokenSecret', 'hush'],
    ['RESOURCE_MOCK_ADMIN_TOKEN', 'hush', 'adminToken', 'hush'],
    ['RESOURCE_MOCK_STORE', 'redis://127.0.0.1:6379', 'store', 'redis://127.0.0.1:6379'],
    ['RESOURCE_MOCK_SCENARIO', 'conflict,slow', 'scenario', ['conflict,slow']],
  ] as const)('reads %s', (variable, text, name, value) => {
    expect(settle({ env: { [variable]: text } })[name]).toEqual(value)
  })

  it('reads a whole list from one source', () => {
    const sources = { flags: { client: ['a:1', 'b:2'] }, config: config({ client: ['c:3'] }) }
    expect(settle(sources).clients).toEqual(['a:1', 'b:2'])
  })
})

describe('configuration file', () => {
  it('accepts every option as JSON', () => {
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
      checkResponses: true,
      identity: 'body',
      generate: 5,
      seed: 7,
      clock: '2026-01-31T12:00:00Z',
      passthrough: 'http://127.0.0.1:8080',
      persist: './state.json',
      store: 'redis://127.0.0.1:6379',
      storeWait: '10s',
      delay: 300,
      client: ['a:1', 'b:2'],
      journal: 0,
      memory: 2048,
      maxSessions: 10,
      sessionTtl: '10m',
      cors: ['http://a.test', 'http://b.test'],
      maxBody: 1024,
      admin: false,
      redact: ['email'],
      adminToken: 'hush',
      adminOrigin: ['http://a.test', 'http://b.test'],
      detach: true,
      drain: '30s',
      open: true,
      tlsCert: 'cert.pem',
      tlsKey: '../key.pem',
      log: 'silent',
    }
    const inFile = Object.entries<MockOption>(options).filter(([, option]) => option.flag !== undefined)
    expect(Object.keys(members).toSorted()).toEqual(
      inFile.map(([name, option]) => toConfigName(name, option)).toSorted(),
    )
    const { client, adminOrigin, ...same } = members
    expect(settle({ config: config(members) })).toEqual({
      ...same,
      clients: client,
      adminOrigins: adminOrigin,
      fixtures: '/project/config/mine',
      scenarios: '/project/config/failures',
      persist: '/project/config/state.json',
      delay: { from: 300, to: 300 },
      sessionTtl: 600_000,
      storeWait: 10_000,
      drain: 30_000,
      open: true,
      tlsCert: '/project/config/cert.pem',
      tlsKey: '/project/key.pem',
    })
  })

  it.each([
    ['cors: false equals --no-cors', { cors: false }, { cors: 'off' }],
    ['one scenario needs no list', { scenario: 'conflict, slow' }, { scenario: ['conflict, slow'] }],
    ['one client needs no list', { client: 'a:1' }, { clients: ['a:1'] }],
    ['strict: false disables it', { strict: false }, { strict: false }],
    ['a number may be a string', { port: '5000' }, { port: 5000 }],
    ['a delay may be an object', { delay: { from: 1, to: 2 } }, { delay: { from: 1, to: 2 } }],
    ['$schema is allowed for editors', { $schema: 'config.schema.json', seed: 7 }, { seed: 7 }],
    ['a delay may be a range', { delay: '100-500' }, { delay: { from: 100, to: 500 } }],
  ])('%s', (_rule, members, settled) => {
    expect(settle({ config: config(members) })).toMatchObject(settled)
  })

  it('reads only the requested options', () => {
    const sources = { env: { PORT: 'abc' }, config: config({ scenarios: 'mine' }), flags: {}, folder: '/project' }
    expect(resolveOptions({ scenarios: options.scenarios }, sources)).toEqual({ scenarios: '/project/config/mine' })
  })

  it.each([
    ['a path in a flag is relative to the working folder', { flags: { persist: 'state.json' } }, '/project/state.json'],
    [
      'a path in the file is relative to its folder',
      { config: config({ persist: 'state.json' }) },
      '/project/config/state.json',
    ],
  ])('%s', (_rule, sources, path) => {
    expect(settle(sources).persist).toBe(path)
  })
})

describe('refuses', () => {
  it.each<readonly [string, Partial<SettingSources>, string]>([
    [
      'an unknown member, with a suggestion',
      { config: config({ prot: 1 }) },
      'Unknown option "prot" in resource-mock.config.json. Did you mean "port"?',
    ],
    ['a member spelled like its flag', { config: config({ 'session-ttl': '1h' }) }, 'Did you mean "sessionTtl"?'],
    [
      'a member named like an inherited property',
      { config: config({ constructor: 1 }) },
      'Unknown option "constructor"',
    ],
    ['the name of the option in code', { config: config({ clients: ['a:1'] }) }, 'Did you mean "client"?'],
    ['an option only available in code', { config: config({ tls: {} }) }, 'Unknown option "tls"'],
    ['an invalid flag, by its name', { flags: { sessionTtl: '1w' } }, '--session-ttl must be a duration'],
    [
      'an invalid variable, by its name',
      { env: { PORT: 'abc' } },
      'The environment variable PORT must be a whole number from 0 to 65535, not "abc".',
    ],
    [
      'an invalid member of the file, by its name',
      { config: config({ port: 'abc' }) },
      '"port" in resource-mock.config.json must be a whole number from 0 to 65535, not "abc".',
    ],
    [
      'a switch that is not a boolean',
      { config: config({ strict: 'yes' }) },
      '"strict" in resource-mock.config.json must be true or false, not "yes".',
    ],
    ['an object with a missing member', { config: config({ delay: { from: 1 } }) }, 'such as 100-500, not {"from":1}.'],
    ['null as a value', { config: config({ port: null }) }, 'from 0 to 65535, not null.'],
    ['true for an option with a value', { config: config({ cors: true }) }, 'separated by commas, not true.'],
    ['two values for a single-valued option', { config: config({ port: [1, 2] }) }, 'from 0 to 65535, not [1,2].'],
    ['an invalid value in a list', { flags: { client: ['a:1', 'b'] } }, '--client must be an id and a secret'],
  ])('%s', (_rule, sources, sentence) => {
    expect(() => settle(sources)).toThrow(SetupError)
    expect(() => settle(sources)).toThrow(sentence)
  })

  it('all invalid values and unknown members at once', () => {
    const members = { prot: 1, seed: -1 }
    expect(() => settle({ flags: { generate: 'x' }, env: { PORT: 'abc' }, config: config(members) })).toThrow(
      /^Unknown option "prot" in [^\n]+\nThe environment variable PORT [^\n]+\n--generate [^\n]+\n"seed" in [^\n]+$/,
    )
  })
})
