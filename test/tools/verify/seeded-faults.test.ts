import { expect, it } from 'vitest'
import { subjects } from '../../../src/tools/verify/checks.ts'
import { families, findChecks } from './faults/families.ts'
import { seededFaults } from './seeded-faults.ts'

it('every check has a seeded problem', () => {
  const seeded = new Set(
    [...seededFaults, ...families.map(([what, bend, names]) => [what, bend, findChecks(names)] as const)].flatMap(
      ([, , finds]) => finds,
    ),
  )
  const all = Object.entries(subjects).flatMap(([id, names]) =>
    Object.keys(names.checks).map((name) => `${id}/${name}`),
  )
  expect(all.filter((id) => !seeded.has(id as never))).toEqual([])
})
