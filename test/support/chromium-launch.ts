import { existsSync } from 'node:fs'

/** Where Chromium usually is. */
export const USUAL_PATHS = [
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
