import { relative } from 'node:path'
import type { AuthMode, MockOptions } from '../options.ts'
import { parseNames } from '../scenarios/catalog.ts'
import type { Settings } from './options.ts'

const AUTH: Readonly<Record<AuthMode, string>> = {
  off: 'Auth is off: no token needed',
  lenient: 'Auth is lenient: any bearer token works',
  strict: 'Auth is strict: only tokens from /oauth/token work',
}

function describeScenarios(scenario: MockOptions['scenario']): string {
  const names = parseNames([scenario ?? []].flat().join(','))
  return names.length === 0 ? 'No active scenarios' : `Active scenarios: ${names.join(', ')}`
}

function describeFixtures(folder: string | undefined, texts: MockOptions['fixtures'] = {}): string {
  if (folder === undefined) return 'Built-in fixtures'
  const count = Object.keys(texts).length
  const there = `${relative(process.cwd(), folder) || '.'}/`
  return `Fixtures from ${there} (${count === 1 ? '1 file' : `${count} files`})`
}

/** What the mock serves and where its dashboard is, in one line, for the person who starts it. */
export function describeStart({ fixtures }: Settings, options: MockOptions, url: string): string {
  const about = [
    describeScenarios(options.scenario),
    describeFixtures(fixtures, options.fixtures),
    AUTH[options.auth ?? 'lenient'],
    ...(options.admin === false ? [] : [`Dashboard: ${url}/__admin`]),
  ]
  return about.join('. ')
}
