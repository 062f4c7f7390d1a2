import { existsSync } from 'node:fs'

const usual = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** How to start Chromium: `CHROMIUM`, or the one that Debian installs. */
export const chromiumLaunchOptions = {
  executablePath: process.env.CHROMIUM ?? usual.find((path) => existsSync(path)),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
}
