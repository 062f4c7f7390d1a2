import { setupServer } from 'msw3/node'
import { describe, vi } from 'vitest'
import { handlers } from '../../../src/msw.ts'
import { handlerCases } from '../../msw/handler-cases.ts'
import type { Msw } from '../../msw/handler-cases.ts'

// The handlers must be created with version 3, as in a project that has only that one.
vi.mock('msw', () => import('msw3'))

describe('handlers in MSW 3', () => {
  // The compiler cannot know that the handlers are of version 3 here.
  handlerCases({ setupServer: setupServer as unknown as Msw['setupServer'], handlers })
})
