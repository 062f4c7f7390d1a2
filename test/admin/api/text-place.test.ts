import { expect, it } from 'vitest'
import { readWithPositions } from '../../../src/admin/api/scenarios.ts'
import { problem } from '../../../src/errors.ts'

const refuse = () => {
  throw problem.invalidInput('b: wrong.', { field: 'b' })
}

it("reports an error's position", async () => {
  await expect(readWithPositions('{"a":1,\n"b":2}', refuse)).rejects.toMatchObject({
    errors: [{ field: 'b', line: 2, column: 5 }],
  })
})

it('reports no position in a text that was not written by hand', async () => {
  const text = `{"a":"${'x'.repeat(50_000)}",\n"b":2}`
  await expect(readWithPositions(text, refuse)).rejects.toMatchObject({
    errors: [{ code: 'InvalidInput', message: 'b: wrong.', field: 'b' }],
  })
})
