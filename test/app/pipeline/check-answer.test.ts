import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { operations } from '../../../src/app/pipeline/perform.ts'
import type { Answer } from '../../../src/service/contract/types.ts'
import { Problem } from '../../../src/errors.ts'
import { createMock } from '../../../src/mock.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'

const right: Answer = { status: 200, body: '{"a":1}' }

/** Requests the cart and returns the given response, although the mock's own handler follows the contract. */
async function ask(
  told: Answer | (() => never),
  options: MockOptions = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const handler = vi
    .spyOn(operations, 'getActionWithExample')
    .mockImplementation(typeof told === 'function' ? told : () => told)
  onTestFinished(() => handler.mockRestore())
  const faults: unknown[] = []
  const mock = await createMock({ auth: 'off', onFault: (fault) => faults.push(fault), ...options })
  const url = 'http://mock/acme/resource/namespace-action-with-example'
  const response = await mock.fetch(new Request(url, { headers }))
  const journal = await mock.fetch(new Request('http://mock/__admin/requests'))
  return { status: response.status, text: await response.text(), faults, journal: await journal.text() }
}

const checked = { checkResponses: true }

describe('a mock with checkResponses', () => {
  it('responds with 500 and the path of the violation, reports it and records it in the journal', async () => {
    const { status, text, faults, journal } = await ask(right, checked)
    const message =
      'The response of getActionWithExample violates the contract: body.cartId: expected JSON String, got nothing.'
    expect(status).toBe(500)
    const body = JSON.parse(text) as { readonly errors: readonly unknown[] }
    expect(body).toMatchObject({ statusCode: 500, message })
    expect(body.errors).toContainEqual({ code: 'ContractViolation', message, field: 'body.cartId' })
    expect(faults).toEqual([expect.any(Problem)])
    expect(faults[0]).toMatchObject({ message })
    expect(journal).toContain('"status":500')
  })

  it('responds with 500 to an undocumented status', async () => {
    const { status, text } = await ask({ status: 418, body: '{}' }, checked)
    expect(status).toBe(500)
    expect(text).toContain('status: expected a documented status (200, 400, 401, 429, 500, 502, 503), got 418.')
  })

  it('does not check responses of scenarios (D78)', async () => {
    const scenarios = {
      'teapot.json': JSON.stringify({ description: 'Tea', rules: [{ effect: { answer: { status: 418, body: {} } } }] }),
    }
    const { status, faults } = await ask(right, { ...checked, scenarios }, { 'X-Mock-Scenario': 'teapot' })
    expect(status).toBe(418)
    expect(faults).toEqual([])
  })

  it('checks the operation if a scenario changed only its input', async () => {
    const { status } = await ask(right, checked, { 'X-Mock-Scenario': 'large-catalog' })
    expect(status).toBe(500)
  })

  it.each(['hidden', 'generated', 'dropped'])(
    'ignores an error that an operation throws under %s, but not otherwise',
    async (scenario) => {
      const gone = () => {
        throw new Problem({ status: 410, errors: [{ code: 'Gone', message: 'It is gone.' }] })
      }
      const scenarios = {
        'generated.json': JSON.stringify({ description: 'x', rules: [{ effect: { generate: 5 } }] }),
        'hidden.json': JSON.stringify({ description: 'x', rules: [{ effect: { hideResources: true } }] }),
        'dropped.json': JSON.stringify({ description: 'x', rules: [{ effect: { dropScopes: ['manage_products'] } }] }),
      }
      const under = await ask(gone, { ...checked, scenarios }, { 'X-Mock-Scenario': scenario })
      expect([under.status, under.faults]).toEqual([410, []])
      expect((await ask(gone, checked)).status).toBe(500)
      expect((await ask(gone, checked, { 'X-Mock-Scenario': 'slow' })).status).toBe(500)
    },
  )

  it('checks nothing by default', async () => {
    const { status, text, faults } = await ask(right)
    expect({ status, text, faults }).toEqual({ status: 200, text: '{"a":1}', faults: [] })
  })
})
