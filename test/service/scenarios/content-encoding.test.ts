import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/index.ts'

const toScenario = (answer: object) =>
  JSON.stringify({ description: 'For a test', rules: [{ effect: { answer: { status: 200, ...answer } } }] })

describe('Content-Encoding in a scenario', () => {
  it.each([{ body: {} }, { error: { code: 'General', message: 'a' } }, {}])(
    'is refused over %j, which is not encoded',
    async (answer) => {
      const mine = toScenario({ ...answer, headers: { 'content-encoding': 'gzip' } })
      await expect(createMock({ scenarios: { 'mine.json': mine } })).rejects.toThrow(
        'rules[0].effect.answer.headers: no Content-Encoding expected: the mock does not encode the body.',
      )
    },
  )

  it('is allowed if it names no encoding', async () => {
    const mine = toScenario({ body: {}, headers: { 'Content-Encoding': 'identity' } })
    await expect(createMock({ scenarios: { 'mine.json': mine } })).resolves.toBeDefined()
  })

  it('is allowed over a file that is encoded so', async () => {
    const mine = toScenario({ bodyFile: 'a.gz', headers: { 'Content-Encoding': 'gzip' } })
    const bytes = new Uint8Array(gzipSync('{}'))
    const mock = await createMock({ scenarios: { 'mine.json': mine, 'a.gz': bytes }, scenario: 'mine', auth: 'off' })
    const response = await mock.fetch('/acme/resource')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  })

  it.each(['gzip', 'br'])('is refused over a file that is not encoded so: %s', async (coding) => {
    const mine = toScenario({ bodyFile: 'a.json', headers: { 'Content-Encoding': coding } })
    const plain = JSON.stringify({ someProperty: 'a'.repeat(100) })
    await expect(createMock({ scenarios: { 'mine.json': mine, 'a.json': plain } })).rejects.toThrow(
      'Scenario mine.json: the bodyFile "a.json" is not encoded as its Content-Encoding says. Encode the file, or remove the header.',
    )
  })
})
