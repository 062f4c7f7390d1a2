import { existsSync } from 'node:fs'
import { beforeAll, describe } from 'vitest'

const USUAL_PATHS = [
  // The headless shell halves page load times.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The path of Chromium: from `CHROMIUM`, or else the first of the usual paths that exists; undefined if there is none. */
export const chromiumPath: string | undefined = [process.env['CHROMIUM'] ?? '', ...USUAL_PATHS].find(
  (path) => path !== '' && existsSync(path),
)

/** Launch options for containers, where Chromium runs as root, which rules out the sandbox, and /dev/shm is small. */
export const chromiumLaunchOptions = {
  ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
}

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
