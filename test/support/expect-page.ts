import { expect } from '@playwright/test'
import { PATIENCE } from './patience.ts'

/** Playwright's `expect`, more patient than by default: browsers of other tests may keep the machine busy. */
export const expectPage = expect.configure({ timeout: PATIENCE })
