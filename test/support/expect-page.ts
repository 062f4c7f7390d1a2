import { expect } from '@playwright/test'
import { PATIENCE } from './patience.ts'

/** Playwright's `expect` with a longer timeout, because browsers of other tests may slow down the machine. */
export const expectPage = expect.configure({ timeout: PATIENCE })
