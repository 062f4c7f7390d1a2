import { problem } from '../errors.ts'

/** Colour schemes; `auto` is the system's own. */
const themes = ['auto', 'light', 'dark'] as const
/** Colours to choose: light or dark, or what the system has. */
export type Theme = (typeof themes)[number]

const COOKIE = 'mock-theme'

/** @throws {Problem} 400 for an unknown colour scheme. */
export function expectTheme(name: string): Theme {
  const theme = themes.find((one) => one === name)
  if (theme !== undefined) return theme
  throw problem.invalidField({
    field: 'theme',
    invalidValue: name,
    allowedValues: themes,
    message: `Unknown theme ${JSON.stringify(name.slice(0, 100))}. Choose one of: ${themes.join(', ')}.`,
  })
}

/** The colours that someone chose before. */
export function readTheme(headers: Headers): Theme {
  const kept = new RegExp(`(?:^|;\\s*)${COOKIE}=(\\w+)`).exec(headers.get('Cookie') ?? '')?.[1]
  return themes.find((one) => one === kept) ?? 'auto'
}

/** What keeps the colours that someone chose, so that no page is painted in others first. */
export const toThemeCookie = (theme: Theme, path: string): string =>
  `${COOKIE}=${theme}; Path=${path}; SameSite=Strict; Max-Age=31536000`
