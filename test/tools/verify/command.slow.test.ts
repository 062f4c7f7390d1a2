import { expect, it } from 'vitest'
import type { VerifyReport } from '../../../src/tools/verify/report.ts'
import { run } from '../../edges/cli/command.ts'
import { serve } from '../../support/serve.ts'

// In-process, passes.slow.test.ts verifies with another seed.
it.each([
  ['lenient', 1],
  ['strict', 2],
] as const)('verify finds no violation over a socket with --auth %s and the seed %i', async (auth, seed) => {
  const args = ['--allow-writes', '--seed', String(seed), '--reporter', 'json', '--client', 'a:b']
  const { status, stdout, stderr } = await run(['verify', await serve({ auth }), ...args])
  const { mismatches, leftovers, requests } = JSON.parse(stdout) as VerifyReport
  const violations = mismatches.filter(({ kind }) => kind === 'violation')
  expect([status, stderr, violations, leftovers]).toEqual([0, '', [], []])
  expect(requests).toBeLessThan(3000)
})
