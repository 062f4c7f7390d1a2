import { existsSync } from 'node:fs'
import { beforeAll, describe } from 'vitest'

const USUAL_PATHS = [
  // Without a window to draw, a page takes half the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Where Chromium is: where `CHROMIUM` says, else in the first of the usual places; undefined where there is none. */
export const chromiumPath: string | undefined = [process.env['CHROMIUM'] ?? '', ...USUAL_PATHS].find(
  (path) => path !== '' && existsSync(path),
)

/** How to launch it. A root user, as containers have, gets no sandbox; and their /dev/shm is small. */
export const chromiumLaunchOptions = {
  ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
}

/**
 * A `describe` whose tests need Chromium, and fail with a sentence where there is none. Its file is a `*.browser.test.ts`.
 *
 * @example describeInChromium('the dashboard', () => { it('…', async () => { await chromium.launch(chromiumLaunchOptions) }) })
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
