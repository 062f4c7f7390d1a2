export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const KEY = 'resource-mock-theme'

/** The chosen theme; `auto` follows the system. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return themes.find((theme) => theme === stored) ?? 'auto'
  } catch {
    // Storage may be blocked, and is for a page from disk.
    return 'auto'
  }
}

export function applyTheme(theme = readTheme()): void {
  document.documentElement.dataset['theme'] = theme
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // The choice lasts until the page is closed.
  }
}
