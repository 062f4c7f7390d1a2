import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListOption, ValueOption } from '../../src/cli/option.ts'
import { options } from '../../src/cli/options.ts'
import type { OptionName } from '../../src/cli/options.ts'
import { SetupError } from '../../src/errors.ts'

const source = { name: '--it', folder: '/home/me' }

function parse(name: OptionName, text: string): unknown {
  const option: ValueOption<unknown> | ListOption<unknown> | { readonly kind: 'switch' } = options[name]
  if (option.kind === 'switch') throw new Error(`${name} takes no value.`)
  return option.parse(text, source)
}

describe('takes', () => {
  it.each<readonly [OptionName, string, unknown]>([
    ['port', '0', 0],
    ['port', '4010', 4010],
    ['port', '65535', 65_535],
    ['host', '127.0.0.1', '127.0.0.1'],
    ['host', '0.0.0.0', '0.0.0.0'],
    ['host', '::1', '::1'],
    ['host', '[::1]', '::1'],
    ['host', 'localhost', 'localhost'],
    ['fixtures', 'mine', '/home/me/mine'],
    ['fixtures', '/elsewhere', '/elsewhere'],
    ['auth', 'off', 'off'],
    ['auth', 'lenient', 'lenient'],
    ['auth', 'strict', 'strict'],
    ['tokenSecret', 'a secret', 'a secret'],
    ['identity', 'header', 'header'],
    ['identity', 'body', 'body'],
    ['generate', '0', 0],
    ['generate', '100000', 100_000],
    ['seed', '0', 0],
    ['seed', '4294967295', 4_294_967_295],
    ['clock', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
    ['clock', '2026-01-31T12:00:00.123+02:00', '2026-01-31T12:00:00.123+02:00'],
    ['persist', 'state.json', '/home/me/state.json'],
    ['delay', '300', { from: 300, to: 300 }],
    ['delay', '100-500', { from: 100, to: 500 }],
    ['delay', '60000', { from: 60_000, to: 60_000 }],
    ['client', 'id:secret', 'id:secret'],
    ['client', 'id:with:colons', 'id:with:colons'],
    ['maxSessions', '1', 1],
    ['sessionTtl', '1h', 3_600_000],
    ['sessionTtl', '30m', 1_800_000],
    ['sessionTtl', '90s', 90_000],
    ['sessionTtl', '500ms', 500],
    ['sessionTtl', '2D', 172_800_000],
    ['cors', 'any', 'any'],
    ['cors', '*', 'any'],
    ['cors', 'off', 'off'],
    ['cors', 'http://localhost:5173', ['http://localhost:5173']],
    ['cors', 'http://a.test, https://b.test:8443', ['http://a.test', 'https://b.test:8443']],
    ['maxBody', '10mb', 10_485_760],
    ['maxBody', '512kb', 524_288],
    ['maxBody', '512 KB'.replace(' ', ''), 524_288],
    ['maxBody', '1048576', 1_048_576],
    ['maxBody', '1b', 1],
    ['maxBody', '512mb', 536_870_912],
    ['tlsCert', 'cert.pem', '/home/me/cert.pem'],
    ['tlsKey', 'key.pem', '/home/me/key.pem'],
    ['log', 'pretty', 'pretty'],
    ['log', 'json', 'json'],
    ['log', 'silent', 'silent'],
  ])('--%s %s', (name, text, value) => {
    expect(parse(name, text)).toEqual(value)
  })
})

describe('refuses, saying what, which value, and the remedy', () => {
  it.each<readonly [OptionName, string, string]>([
    ['port', 'abc', 'which is no whole number from 0 to 65535. Give one that is, such as 4010.'],
    ['port', '65536', 'from 0 to 65535'],
    ['port', '-1', 'from 0 to 65535'],
    ['port', '80.5', 'from 0 to 65535'],
    ['port', '', 'from 0 to 65535'],
    ['port', '0x50', 'from 0 to 65535'],
    ['host', 'http://localhost', 'without scheme, port or path'],
    ['host', 'localhost:4010', 'which is no host'],
    ['host', '', 'which is no host'],
    ['host', '-x', 'which is no host'],
    ['fixtures', '', 'which is empty'],
    ['auth', 'lenien', 'Give one of: off, lenient, strict. Did you mean "lenient"?'],
    ['auth', 'Off', 'Did you mean "off"?'],
    ['auth', '', 'Give one of: off, lenient, strict.'],
    ['tokenSecret', '', 'which is empty'],
    ['identity', 'boddy', 'Did you mean "body"?'],
    ['generate', '100001', 'from 0 to 100000'],
    ['generate', 'many', 'from 0 to 100000'],
    ['seed', '4294967296', 'from 0 to 4294967295'],
    ['clock', 'yesterday', 'which is no ISO 8601 date-time. Give date, time and offset'],
    ['clock', '2026-01-31', 'which is no ISO 8601 date-time'],
    ['clock', '2026-01-31T12:00:00', 'which is no ISO 8601 date-time'],
    ['clock', '2026-02-30T12:00:00Z', 'which is no ISO 8601 date-time'],
    ['persist', '', 'which is empty'],
    ['delay', '60001', 'at most 60000 milliseconds'],
    ['delay', '500-100', 'from the shorter to the longer'],
    ['delay', '100-60001', 'at most 60000 milliseconds'],
    ['delay', '3s', 'Give milliseconds'],
    ['maxSessions', '0', 'from 1 to 100000'],
    ['sessionTtl', '60', 'Give a number above 0 with a unit'],
    ['sessionTtl', '0s', 'above 0'],
    ['sessionTtl', '1w', 'which is no duration'],
    ['cors', 'http://a.test/', 'Write http://a.test.'],
    ['cors', 'http://a.test/path', 'Write http://a.test.'],
    ['cors', 'HTTP://A.test', 'Write http://a.test.'],
    ['cors', 'a.test', 'Give scheme, host and port'],
    ['cors', 'http://a.test,', 'Give scheme, host and port'],
    ['cors', '', 'Give scheme, host and port'],
    ['adminOrigin', 'any', 'Give scheme, host and port'],
    ['adminOrigin', 'http://a.test/', 'Write http://a.test.'],
    ['adminToken', '', 'which is empty'],
    ['scenario', '', 'which is empty'],
    ['journal', '100001', 'from 0 to 100000'],
    ['maxBody', '0', 'which is not a size from 1 byte to 512mb'],
    ['maxBody', '513mb', 'which is not a size from 1 byte to 512mb'],
    ['maxBody', '10 mb', 'Give a number of bytes, or one with a unit'],
    ['maxBody', '10tb', 'Give a number of bytes, or one with a unit'],
    ['tlsCert', '', 'which is empty'],
    ['tlsKey', '', 'which is empty'],
    ['log', 'prety', 'Did you mean "pretty"?'],
  ])('--%s %j', (name, text, sentence) => {
    expect(() => parse(name, text)).toThrow(SetupError)
    expect(() => parse(name, text)).toThrow(`--it is ${JSON.stringify(text)}, `)
    expect(() => parse(name, text)).toThrow(sentence)
  })
})

it('takes every port, and no other number', () => {
  fc.assert(
    fc.property(fc.integer(), (number) => {
      if (number >= 0 && number <= 65_535) expect(parse('port', String(number))).toBe(number)
      else expect(() => parse('port', String(number))).toThrow(SetupError)
    }),
  )
})

it('answers any text with a value or a SetupError of one line', () => {
  const takesValue = (name: string): name is OptionName => options[name as OptionName].flags.includes('<')
  const names = Object.keys(options).filter(takesValue)
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string({ unit: 'binary' }), (name, text) => {
      try {
        parse(name, text)
      } catch (fault) {
        expect(fault).toBeInstanceOf(SetupError)
        expect(String(fault)).not.toMatch(/[\n\r]/)
      }
    }),
  )
})

it.each(['S3CR3T', ':S3CR3T', 'S3CR3T:'])(
  'does not repeat the client %s that it refuses, which may be a secret',
  (text) => {
    const refuse = () => parse('client', text)
    expect(refuse).toThrow('--it is not an id and a secret with a colon between.')
    expect(refuse).not.toThrow('S3CR3T')
  },
)
