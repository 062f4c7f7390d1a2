import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../../../src/edges/cli/settings.ts'
import { SetupError } from '../../../src/errors.ts'
import { optionEntries } from '../../../src/app/options/options.ts'
import { options } from '../../../src/app/options/table.ts'
import type { CommandOption } from '../../../src/app/options/options.ts'
import { toConfigName, toFlag } from '../../../src/app/options/option.ts'

/** The parsed value of a flag with this text. */
function parse(name: CommandOption, text: string): unknown {
  const flags = { [toConfigName(name, options[name])]: text }
  const resolved: Readonly<Record<string, unknown>> = resolveOptions(
    { [name]: options[name] },
    { flags, env: {}, folder: '/home/me' },
  )
  return resolved[name]
}

describe('accepts', () => {
  it.each<readonly [CommandOption, string, unknown]>([
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
    ['clients', 'id:secret', ['id:secret']],
    ['clients', 'id:with:colons', ['id:with:colons']],
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

describe('refuses with the option, the value and the remedy', () => {
  it.each<readonly [CommandOption, string, string]>([
    ['port', 'abc', '--port must be a whole number from 0 to 65535, not "abc".'],
    ['port', '65536', 'from 0 to 65535'],
    ['port', '-1', 'from 0 to 65535'],
    ['port', '80.5', 'from 0 to 65535'],
    ['port', '', 'from 0 to 65535'],
    ['port', '0x50', 'from 0 to 65535'],
    ['host', 'http://localhost', 'without scheme, port or path'],
    ['host', 'localhost:4010', 'without scheme, port or path, such as 127.0.0.1, ::1 or localhost'],
    ['host', '', 'without scheme, port or path, such as 127.0.0.1, ::1 or localhost'],
    ['host', '-x', 'without scheme, port or path, such as 127.0.0.1, ::1 or localhost'],
    ['fixtures', '', '--fixtures must be a path, not "".'],
    ['auth', 'lenien', '--auth must be off, lenient or strict, not "lenien". Did you mean "lenient"?'],
    ['auth', 'Off', 'Did you mean "off"?'],
    ['auth', '', 'must be off, lenient or strict'],
    ['tokenSecret', '', 'must be a non-empty string'],
    ['identity', 'boddy', 'Did you mean "body"?'],
    ['generate', '100001', 'from 0 to 100000'],
    ['generate', 'many', 'from 0 to 100000'],
    ['seed', '4294967296', 'from 0 to 4294967295'],
    ['clock', 'yesterday', '--clock must be an ISO 8601 date-time with an offset, such as'],
    ['clock', '2026-01-31', 'must be an ISO 8601 date-time'],
    ['clock', '2026-01-31T12:00:00', 'must be an ISO 8601 date-time'],
    ['clock', '2026-02-30T12:00:00Z', 'must be an ISO 8601 date-time'],
    ['persist', '', 'must be a path'],
    ['delay', '60001', 'at most 60000 milliseconds'],
    ['delay', '500-100', 'or a range such as 100-500'],
    ['delay', '100-60001', 'at most 60000 milliseconds'],
    ['delay', '3s', '--delay must be at most 60000 milliseconds, fixed such as 300 or a range'],
    ['maxSessions', '0', 'from 1 to 100000'],
    ['sessionTtl', '60', 'a duration above 0, with a unit, such as 1h'],
    ['sessionTtl', '0s', 'above 0'],
    ['sessionTtl', '1w', 'must be a duration'],
    ['cors', 'http://a.test/', 'Did you mean "http://a.test"?'],
    ['cors', 'http://a.test/path', 'Did you mean "http://a.test"?'],
    ['cors', 'HTTP://A.test', 'Did you mean "http://a.test"?'],
    ['cors', 'a.test', 'origins such as http://localhost:5173, separated by commas'],
    ['cors', 'http://a.test,', 'origins such as http://localhost:5173, separated by commas'],
    ['cors', '', 'origins such as http://localhost:5173, separated by commas'],
    ['adminOrigins', 'any', 'origins such as http://localhost:5173, separated by commas'],
    ['adminOrigins', 'http://a.test/', 'Did you mean "http://a.test"?'],
    ['adminToken', '', 'must be a non-empty string'],
    ['scenario', '', '--scenario must be a scenario name, or several, not "".'],
    ['journal', '100001', 'from 0 to 100000'],
    ['maxBody', '0', 'must be a size from 1 byte to 512mb'],
    ['maxBody', '513mb', 'must be a size from 1 byte to 512mb'],
    ['maxBody', '10 mb', 'such as 10mb, 512kb or 1048576'],
    ['maxBody', '10tb', 'such as 10mb, 512kb or 1048576'],
    ['tlsCert', '', 'must be a path'],
    ['tlsKey', '', 'must be a path'],
    ['log', 'prety', 'Did you mean "pretty"?'],
  ])('--%s %j', (name, text, sentence) => {
    expect(() => parse(name, text)).toThrow(SetupError)
    expect(() => parse(name, text)).toThrow(`${toFlag(options[name])} must be `)
    expect(() => parse(name, text)).toThrow(sentence)
  })
})

it('accepts every port and no other number', () => {
  fc.assert(
    fc.property(fc.integer(), (number) => {
      if (number >= 0 && number <= 65_535) expect(parse('port', String(number))).toBe(number)
      else expect(() => parse('port', String(number))).toThrow(SetupError)
    }),
  )
})

it('returns a value or throws a SetupError of one line for any text', () => {
  const isText = ([, { flag = '' }]: (typeof optionEntries)[number]): boolean => flag.includes('<')
  // Those with a flag are the options of the command.
  const names = optionEntries.filter(isText).map(([name]) => name as CommandOption)
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

it.each(['S3CR3T', ':S3CR3T', 'S3CR3T:'])('does not repeat the refused client %s, which may be a secret', (text) => {
  const refuse = () => parse('clients', text)
  expect(refuse).toThrow('--client must be an id and a secret separated by a colon, such as my-client:my-secret.')
  expect(refuse).not.toThrow('S3CR3T')
})
