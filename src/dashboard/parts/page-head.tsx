import { raw } from 'hono/html'
import { shellStyle } from '../built-client.ts'

interface PageHeadProps {
  readonly title: string
  /** The path of the dashboard that has the icon. */
  readonly home: string
  readonly colorScheme?: string | undefined
}

/** The head of every page, with its inline style: the first paint waits for no other file. */
export const PageHead = ({ title, home, colorScheme = 'light dark' }: PageHeadProps) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content={colorScheme} />
    <title>{`${title} · resource-mock`}</title>
    <link rel="icon" type="image/svg+xml" href={`${home}/dashboard.svg`} />
    <style>{raw(shellStyle)}</style>
  </head>
)
