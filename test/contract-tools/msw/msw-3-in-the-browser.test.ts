import { join } from 'node:path'
import { browserCases } from '../../edges/msw/in-the-browser.ts'
import { describeInChromium } from '../../support/chromium.ts'

describeInChromium('handlers of MSW 3 in the browser', () => {
  browserCases('msw3', join(import.meta.dirname, '../node_modules'))
})
