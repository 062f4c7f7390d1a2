import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { operators, toUsage } from '../../../src/service/query/operators.ts'
import type { Operator } from '../../../src/service/query/operators.ts'

const page = await readFile(new URL('../../../docs/decisions.md', import.meta.url), 'utf8')
const [, section = ''] = page.split('| operator | holds if the field |')
const [table = ''] = section.split('\n\n')

it('documents each operator with its opposite and its meaning, in the order of the table', () => {
  const rows = Object.entries(operators).map(([text, operator]) => {
    const { negation, meaning } = operator
    const opposite = negation === undefined ? '' : `, \`${toUsage(negation, operator)}\``
    return `| \`${toUsage(text, operator)}\`${opposite} | ${meaning} |`
  })
  expect(table.trim().split('\n').slice(1)).toEqual(rows)
})

it('does not compile without the meaning of an operator', () => {
  const { meaning: _meaning, ...others } = operators['in'] as Operator
  // @ts-expect-error -- the meaning is missing
  const operator: Operator = others
  expect(operator).not.toHaveProperty('meaning')
})

it('does not compile without the evaluation of an operator', () => {
  const { on: _on, ...others } = operators['in'] as Operator
  // @ts-expect-error -- the evaluation is missing
  const operator: Operator = others
  expect(operator).not.toHaveProperty('on')
})
