import { setupServer } from 'msw3/node'
import { describe, vi } from 'vitest'
import { handlers } from '../../src/msw.ts'
import { handlerCases } from './handler-cases.ts'
import type { Msw } from './handler-cases.ts'

// What the handlers are made with: version 3, as in a project that has that one.
vi.mock('msw', () => import('msw3'))

const [major = 0] = process.versions.node.split('.').map(Number)
const isTooOld = major < 22

if (isTooOld) {
  console.warn(
    `\n*** SKIPPED: "handlers in MSW 3" needs Node 22, as MSW 3 does, and this is ${process.version}.\n` +
      '*** Run it with: npm run test:nodes -- --suite --node 22\n',
  )
}

describe.skipIf(isTooOld)('handlers in MSW 3', () => {
  // The compiler cannot know that the handlers are of version 3 here.
  handlerCases({ setupServer: setupServer as unknown as Msw['setupServer'], handlers })
})
