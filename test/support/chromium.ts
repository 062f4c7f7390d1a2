import { beforeAll, describe } from 'vitest'
import { chromiumPath, USUAL_PATHS } from './chromium-launch.ts'

/**
 * A `describe` for tests that need Chromium. They fail with an error message if it is missing. Use it in
 * `*.browser.test.ts`.
 *
 * @example describeInChromium('the dashboard', () => { it('…', async () => { await chromium.launch(chromiumLaunchOptions)
 * }) })
 */
export function describeInChromium(name: string, tests: () => void): void {
  describe(name, () => {
    beforeAll(() => {
      if (chromiumPath !== undefined) return
      throw new Error(
        `These tests need Chromium, and none was found at ${USUAL_PATHS.join(', ')}. Install it with ` +
          '"apt-get install chromium-headless-shell", or set the environment variable CHROMIUM to the path of yours.',
      )
    })
    tests()
  })
}
