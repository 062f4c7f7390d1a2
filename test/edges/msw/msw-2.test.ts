import { setupServer } from 'msw/node'
import { describe } from 'vitest'
import { handlers } from '../../../src/msw.ts'
import { handlerCases } from './handler-cases.ts'

describe('handlers in MSW 2', () => {
  handlerCases({ setupServer, handlers })
})
