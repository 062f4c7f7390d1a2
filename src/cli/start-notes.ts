import { relative } from 'node:path'
import type { AuthMode } from '../auth/authenticate.ts'
import type { ServerOptions, Settings } from '../options/options.ts'
import { parseNames } from '../scenarios/engine.ts'

const AUTH: Readonly<Record<AuthMode, string>> = {
  off: 'Auth is off: no token needed',
  lenient: 'Auth is lenient: any bearer token works',
  strict: 'Auth is strict: only issued tokens work, and those that spell scopes, such as view_test:acme',
}

function describeScenarios(scenario: Settings['scenario'] = []): string {
  const names = parseNames(scenario.join(','))
  return names.length === 0 ? 'No active scenarios' : `Active scenarios: ${names.join(', ')}`
}

function describeFixtures(folder: string | undefined, texts: ServerOptions['fixtures'] = {}): string {
  if (folder === undefined) return 'Built-in fixtures'
  const count = Object.keys(texts).length
  const there = `${relative(process.cwd(), folder) || '.'}/`
  return `Fixtures from ${there} (${count === 1 ? '1 file' : `${count} files`})`
}

/** One line for the person who starts the mock: what it serves, and where its dashboard is. */
export function describeStart(settings: Partial<Settings>, options: ServerOptions, url: string): string {
  const about = [
    describeScenarios(settings.scenario),
    describeFixtures(settings.fixtures, options.fixtures),
    AUTH[settings.auth ?? 'lenient'],
    ...(settings.passthrough === undefined ? [] : [`Other paths go to ${settings.passthrough}`]),
    ...(settings.admin === false ? [] : [`Dashboard: ${url}/__admin`]),
  ]
  return about.join('. ')
}

const isLoopback = (host: string): boolean => /^(?:localhost|.+\.localhost|::1|127(?:\.\d{1,3}){3})$/i.test(host)

/** A sentence for each combination of settings that may surprise the person who starts the mock. */
export function findNotes({
  host = '127.0.0.1',
  adminToken,
  watch,
  fixtures,
  scenarios,
  open,
  admin,
}: Partial<Settings>): readonly string[] {
  const notes: string[] = []
  if (!isLoopback(host) && adminToken === undefined) {
    notes.push('The admin API answers this machine only. Give --admin-token to use it from others.')
  }
  if (watch === true && fixtures === undefined && scenarios === undefined) {
    notes.push('There is nothing to watch. Use --watch with --fixtures or --scenarios.')
  }
  if (open === true && admin === false) notes.push('There is no dashboard to open. Remove --open or --no-admin.')
  return notes
}
