import { spawn } from 'node:child_process'

/** What opens an URL on a platform; undefined where there is nowhere to show it. */
export function findOpener(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): readonly [command: string, ...args: string[]] | undefined {
  if (platform === 'darwin') return ['open']
  // Not `start`, which is the shell's: it would read the URL as a command line.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasScreen = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((display) => display !== undefined && display !== '')
  return hasScreen ? ['xdg-open'] : undefined
}

/** Opens a URL in the user's browser, if there is one; the log has the URL, too. */
function openBrowser(url: string): void {
  const opener = findOpener(process.platform, process.env)
  if (opener === undefined) return
  const [command, ...args] = opener
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

/** Opens the dashboard of a mock, with the admin token that it asks for. */
export function openDashboard(url: string, adminToken: string | undefined): void {
  const address = `${url}/__admin`
  openBrowser(adminToken === undefined ? address : `${address}?token=${encodeURIComponent(adminToken)}`)
}
