import { describe, expect, it } from 'vitest'
import { SetupError } from '../../src/errors.ts'
import { createMock } from '../../src/mock.ts'
import type { MockOptions, ServerOptions } from '../../src/app/options/options.ts'

/** Server-only options, by name. */
const SERVER_ONLY: Readonly<Record<Exclude<keyof ServerOptions, keyof MockOptions>, true>> = {
  port: true,
  tls: true,
  persist: true,
  passthrough: true,
  drain: true,
  lightweightGlobals: true,
}

/** Options as untyped JavaScript may pass them. */
const give = (options: object): Promise<unknown> => createMock(options)

describe('createMock refuses', () => {
  it.each([
    [{ senario: 'slow' }, 'Unknown option "senario". Did you mean "scenario"?'],
    [{ constructor: 1 }, 'Unknown option "constructor". The options are: host, scenario, scenarios, delay, fixtures,'],
    [{ prot: 1 }, 'Unknown option "prot". Did you mean "port"?'],
    [{ auth: 'Strict' }, 'The option auth must be off, lenient or strict, not "Strict". Did you mean "strict"?'],
    [{ identity: true }, 'The option identity must be header or body, not true.'],
    [{ generate: -1 }, 'The option generate must be a whole number from 0 to 100000, not -1.'],
    [{ generate: '5' }, 'The option generate must be a whole number from 0 to 100000, not "5".'],
    [{ generate: 1e9 }, 'The option generate must be a whole number from 0 to 100000, not 1000000000.'],
    [{ maxSessions: 0 }, 'The option maxSessions must be a whole number from 1 to 100000, not 0.'],
    [{ seed: Number.NaN }, 'The option seed must be a whole number from 0 to 4294967295, not NaN.'],
    [{ maxBody: '10tb' }, 'The option maxBody must be a size from 1 byte to 512mb, such as 10mb,'],
    [{ maxBody: 536_870_913 }, 'The option maxBody must be a size from 1 byte to 512mb, such as 10mb,'],
    [{ sessionTtl: '60' }, 'The option sessionTtl must be a duration above 0, with a unit, such as 1h,'],
    [
      { delay: -1 },
      'The option delay must be at most 60000 milliseconds, fixed such as 300 or a range such as 100-500,',
    ],
    [{ delay: { from: 0, to: 60_001 } }, 'The option delay must be at most 60000 milliseconds,'],
    [{ delay: { from: 9, to: 1 } }, 'such as 100-500, not {"from":9,"to":1}.'],
    [{ strict: null }, 'The option strict must be true or false, not null.'],
    [{ clients: 'shop' }, 'The option clients must be an id and a secret separated by a colon,'],
    [{ cors: () => 'any' }, 'The option cors must be any, off or origins such as http://localhost:5173,'],
    [{ cors: ['http://me:s3cret@localhost:5173'] }, 'not "http://…@localhost:5173".'],
    [{ adminOrigins: 'me:s3cret@localhost' }, 'not "…@localhost".'],
    [{ cors: ['http://localhost:5173/'] }, 'separated by commas, not "http://localhost:5173/".'],
    [{ persistence: {} }, 'The option persistence must be an object with the functions read and write, not {}.'],
    [{ onRequest: 'log' }, 'The option onRequest must be a function, not "log".'],
    ...['yesterday', '', '2026-01-31', '2026-01-31T12:00:00', '2026-02-30T00:00:00Z', '2025-02-29T00:00:00Z'].map(
      (clock): [object, string] => [{ clock }, 'The option clock must be an ISO 8601 date-time with an offset,'],
    ),
    [
      { fixtures: { 'action.json': {} } },
      'The option fixtures must be an object that maps file names to their contents,',
    ],
  ])('%o', async (options, sentence) => {
    await expect(give(options)).rejects.toThrow(SetupError)
    await expect(give(options)).rejects.toThrow(sentence)
  })

  it.each(Object.keys(SERVER_ONLY))('%s, which is a server option', async (name) => {
    await expect(give({ [name]: 1 })).rejects.toThrow(
      `The option ${name} is only available in startServer of resource-mock/node.`,
    )
  })

  it.each([
    ['null', null],
    ['["slow"]', ['slow']],
    ['a promise that was not awaited', createMock()],
  ])('%s instead of options', async (shown, options) => {
    // The cast: as a caller without a compiler may pass it.
    await expect(give(options as object)).rejects.toThrow(
      `The options must be an object such as { scenario: 'slow' }, not ${shown}.`,
    )
  })

  it('no undefined value: the default applies', async () => {
    await expect(give({ auth: undefined, delay: undefined })).resolves.toHaveProperty('fetch')
  })
})

describe('createMock takes', () => {
  it.each([
    ['milliseconds', { delay: 300 }],
    ['a span', { delay: '100-500' }],
    ['a size with a unit', { maxBody: '10mb' }],
    ['a duration with a unit', { sessionTtl: '1h' }],
    ['one client', { clients: 'shop:secret' }],
    ['comma-separated origins', { cors: 'http://localhost:5173,https://shop.example' }],
  ])('%s, as the command line does', async (_what, options) => {
    await expect(give(options)).resolves.toHaveProperty('fetch')
  })

  it('a body up to the configured limit', async () => {
    const mock = await createMock({ auth: 'off', maxBody: '1kb' })
    const post = (length: number) =>
      mock.fetch('/acme/resource', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ key: 'x'.repeat(length) }),
      })
    expect((await post(2000)).status).toBe(413)
    expect((await post(100)).status).not.toBe(413)
  })
})
