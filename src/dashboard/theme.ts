import { generateCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'
import { problem } from '../errors.ts'

const themes = ['auto', 'light', 'dark'] as const
/** A colour scheme; `auto` is that of the system. */
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

/** The theme that was chosen before. */
export function readTheme(headers: Headers): Theme {
  const kept = parse(headers.get('Cookie') ?? '', COOKIE)[COOKIE]
  return themes.find((one) => one === kept) ?? 'auto'
}

/** The cookie that keeps the theme, so that no page is first painted in another one. */
export const toThemeCookie = (theme: Theme, path: string): string =>
  generateCookie(COOKIE, theme, { path, sameSite: 'Strict', maxAge: 31_536_000 })
