import { describe, expect, it } from 'vitest'
import { SetupError } from '../../src/errors.ts'
import { createMock } from '../../src/mock.ts'
import type { ServerOptions } from '../../src/node/server.ts'
import type { MockOptions } from '../../src/options.ts'

/** What a server takes besides, every name of it. */
const SERVER_ONLY: Readonly<Record<Exclude<keyof ServerOptions, keyof MockOptions>, true>> = {
  port: true,
  tls: true,
  persist: true,
  lightweightGlobals: true,
}

/** Options as JavaScript may give them, with no compiler to object. */
const give = (options: object): Promise<unknown> => createMock(options)

describe('createMock refuses', () => {
  it.each([
    [{ senario: 'slow' }, 'Unknown option "senario". Did you mean "scenario"?'],
    [{ constructor: 1 }, 'Unknown option "constructor". There are: fixtures, scenario, scenarios, auth,'],
    [{ prot: 1 }, 'Unknown option "prot". Did you mean "port"?'],
    [{ auth: 'Strict' }, 'The option auth is "Strict", which is not one of "off", "lenient", "strict".'],
    [{ identity: true }, 'The option identity is true, which is not one of "header", "body".'],
    [{ generate: -1 }, 'The option generate is -1, which is not a whole number from 0 to 100000.'],
    [{ generate: 1e9 }, 'The option generate is 1000000000, which is not a whole number from 0 to 100000.'],
    [{ maxSessions: 0 }, 'The option maxSessions is 0, which is not a whole number from 1 to 100000.'],
    [{ seed: Number.NaN }, 'The option seed is NaN, which is not a whole number of at least 0.'],
    [{ maxBody: '10mb' }, 'The option maxBody is "10mb", which is not a whole number from 1 to 536870912.'],
    [
      { delay: 300 },
      'The option delay is 300, which is not an object such as { from: 100, to: 500 }, in milliseconds, at most 60000.',
    ],
    [{ delay: { from: 0, to: 60_001 } }, 'The option delay is {"from":0,"to":60001}, which is not an object such as'],
    [{ delay: { from: 9, to: 1 } }, 'The option delay is {"from":9,"to":1}, which is not an object such as'],
    [{ strict: null }, 'The option strict is null, which is not true or false.'],
    [{ clients: 'id:secret' }, 'The option clients is not an array of strings.'],
    [{ cors: () => 'any' }, 'The option cors is a function, which is not "any", "off" or an array of origins such as'],
    [{ cors: ['http://localhost:5173/'] }, 'which is not "any", "off" or an array of origins such as'],
    [{ persistence: {} }, 'which is not an object with the functions read and write.'],
    ...['yesterday', '', '2026-01-31', '2026-01-31T12:00:00', '2026-02-30T00:00:00Z', '2025-02-29T00:00:00Z'].map(
      (clock): [object, string] => [
        { clock },
        `The clock ${JSON.stringify(clock)} is no ISO 8601 date-time. Give date,`,
      ],
    ),
    [{ fixtures: { 'action.json': {} } }, 'which is not an object of texts by file name.'],
  ])('%o', async (options, sentence) => {
    await expect(give(options)).rejects.toThrow(SetupError)
    await expect(give(options)).rejects.toThrow(sentence)
  })

  it.each(Object.keys(SERVER_ONLY))('%s, which is for a server', async (name) => {
    await expect(give({ [name]: 1 })).rejects.toThrow(
      `The option ${name} belongs to startServer of resource-mock/node: what has no server`,
    )
  })

  it.each([
    ['null', null],
    ['["slow"]', ['slow']],
    ['a promise that is not awaited', createMock()],
  ])('%s in the place of options', async (shown, options) => {
    // The cast: as a caller without a compiler may have it.
    await expect(give(options as object)).rejects.toThrow(`The options are ${shown}. Give an object such as`)
  })

  it('nothing that is undefined: the default applies', async () => {
    await expect(give({ auth: undefined, delay: undefined })).resolves.toHaveProperty('fetch')
  })
})
