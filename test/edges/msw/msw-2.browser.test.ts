import { describeInChromium } from '../../support/chromium.ts'
import { browserCases } from './in-the-browser.ts'

describeInChromium('handlers of MSW 2 in the browser', () => {
  browserCases('msw')
})
