import { expect, it, vi } from 'vitest'
import { createAsk } from './ask.ts'

// A parser of YAML takes half a second for 40 KB of JSON.
vi.mock('yaml', () => {
  throw new Error('JSON is not parsed as YAML.')
})

it.each([
  ['an unknown member', '{ "description": "x",\n  "rules": [],\n  "bad": 1 }', 'bad', 3, 3],
  [
    'a wrong value',
    '{ "description": "x",\n  "rules": [{ "effect": { "delay": "x" } }] }',
    'rules[0].effect.delay',
    2,
    36,
  ],
  ['a missing member', '{ "description": "x",\n  "rules": [ {} ] }', 'rules[0].effect', 2, 14],
])('the position of %s is found in JSON', async (_what, body, field, line, column) => {
  const { ask } = await createAsk()
  const { status, body: answer } = await ask('PUT', '/__admin/scenarios/x', { body })
  expect([status, answer]).toMatchObject([400, { errors: [{ field, line, column }] }])
})
