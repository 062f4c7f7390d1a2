import { setupServer } from 'msw3/node'
import { afterAll, describe, vi } from 'vitest'
import { handlers } from '../../../src/msw.ts'
import { handlerCases } from '../../edges/msw/handler-cases.ts'
import type { Msw } from '../../edges/msw/handler-cases.ts'

// The handlers must use version 3, as in a project where only that version is installed.
vi.mock('msw', () => import('msw3'))
// Other files of this process may have loaded them with another version, or will.
vi.hoisted(() => void vi.resetModules())
afterAll(() => void vi.resetModules())

describe('handlers in MSW 3', () => {
  // The types are those of another version of MSW.
  handlerCases({ setupServer: setupServer as unknown as Msw['setupServer'], handlers })
})
