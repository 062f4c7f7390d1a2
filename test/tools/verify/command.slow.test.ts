import { expect, it } from 'vitest'
import type { VerifyReport } from '../../../src/tools/verify/report.ts'
import { run } from '../../edges/cli/command.ts'
import { serve } from '../../support/serve.ts'

// In-process, passes.slow.test.ts verifies with another seed.
it.each([
  ['lenient', 1],
  ['strict', 2],
] as const)('verify finds no difference over a socket with --auth %s and the seed %i', async (auth, seed) => {
  const args = ['--allow-writes', '--seed', String(seed), '--reporter', 'json', '--client', 'a:b']
  const { status, stdout, stderr } = await run(['verify', await serve({ auth }), ...args])
  const { mismatches, leftovers, requests } = JSON.parse(stdout) as VerifyReport
  expect([status, stderr, mismatches.map(({ sentence }) => sentence), leftovers]).toEqual([0, '', [], []])
  expect(requests).toBeLessThanOrEqual(3000)
})
