import { afterAll, expect, it, vi } from 'vitest'
import type * as operatorTable from '../../../src/service/query/operators.ts'
import type { Operator } from '../../../src/service/query/operators.ts'

/** A new operator, as one entry of the table: for texts only. */
const startsWith: Operator = {
  takes: 'one value',
  negation: 'starts not with',
  meaning: 'is a text that starts with the value',
  on: {
    value({ type, operands: [operand], refuse }) {
      const { literal = '', offset = 0 } = operand ?? {}
      if (type !== 'text' || typeof literal !== 'string') throw refuse(offset, 'The operator starts with is for texts.')
      return (value) => typeof value === 'string' && value.startsWith(literal)
    },
  },
}

vi.mock('../../../src/service/query/operators.ts', async (importOriginal) => {
  const original = await importOriginal<typeof operatorTable>()
  return { ...original, operators: { ...original.operators, 'starts with': startsWith } }
})

// Other files of this process have loaded the mock without the operator, or will.
vi.resetModules()
afterAll(() => void vi.resetModules())
const { createMock } = await import('../../../src/index.ts')

async function ask(where: string, more = '') {
  const mock = await createMock({ auth: 'off' })
  const fixtures = mock.session('default')
  await fixtures.seed([{ key: 'shoe-1', objectTypeProperty: {} }])
  const response = await mock.fetch(`/acme/resource/sorted-query-parameters?where=${encodeURIComponent(where)}${more}`)
  return (await response.json()) as { readonly total?: number; readonly message?: string }
}

it('is read and evaluated, with its opposite and with a variable', async () => {
  expect(await ask('key starts with "shoe"')).toMatchObject({ total: 1 })
  expect(await ask('not key starts not with :start', '&var.start=shoe')).toMatchObject({ total: 1 })
  expect((await ask('key starts with "shirt"')).total).toBe(0)
})

it('refuses a field of another type with line, column and caret', async () => {
  const { message } = await ask('version\n  starts with 1')
  expect(message).toBe(
    'Malformed parameter: where: line 2, column 15: The operator starts with is for texts.\n  starts with 1\n              ^',
  )
})

it('is named by errors about its use', async () => {
  expect((await ask('key starts "a"')).message).toContain('Expected "with" or "not", found "a"')
  expect((await ask('key contains any ("a")')).message).toMatch(/Use .* starts with\./)
  expect((await ask('key starts with :a', '&var.a=1&var.a=2')).message).toContain(
    'The operator starts with takes one value, but :a has 2. Send it once.',
  )
})
