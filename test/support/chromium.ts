import { existsSync } from 'node:fs'
import { describe } from 'vitest'

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
 * A `describe` whose tests need Chromium. Where there is none they are skipped, and standard error says so.
 *
 * @example describeInChromium('the dashboard', () => { it('…', async () => { await chromium.launch(chromiumLaunchOptions) }) })
 */
export function describeInChromium(name: string, tests: () => void): void {
  if (chromiumPath === undefined) {
    console.warn(
      `\n*** SKIPPED: "${name}" needs Chromium, and there is none at ${USUAL_PATHS.join(', ')}.\n` +
        '*** Get it with: apt-get install chromium-headless-shell (or name yours in the environment variable CHROMIUM).\n',
    )
  }
  describe.skipIf(chromiumPath === undefined)(name, tests)
}
