import type { Child } from 'hono/jsx'
import { NoticeBar } from './parts/notice.tsx'
import { ShellStyle } from './parts/shell-style.tsx'
import { Sidebar } from './parts/sidebar.tsx'
import { Unknown } from './parts/unknown.tsx'
import { viewTitles, views } from './place.ts'
import type { Show } from './show.ts'
import type { Theme } from './theme.ts'

interface PageProps {
  readonly show: Show
  readonly theme: Theme
  readonly children?: Child
}

/** What `--watch` could not read. */
const Problems = ({ show: { parts } }: { readonly show: Show }) => {
  const problems = parts.problems()
  return (
    <div id="problems" data-live>
      {problems.map((sentence) => (
        <p class="notice failed" role="alert">
          {sentence} The mock serves what it last could read.
        </p>
      ))}
    </div>
  )
}

/**
 * A whole page of the dashboard. Its style sheet stands behind what is the same on every page, so that a browser paints
 * that before it has the rest.
 */
export const Page = ({ show, theme, children }: PageProps) => {
  const { place, parts } = show
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === 'auto' ? 'light dark' : theme} />
        <title>{`${viewTitles[place.view]} · ${place.session} · resource-mock`}</title>
        <link rel="icon" type="image/svg+xml" href={`${place.home}/dashboard.svg`} />
        <ShellStyle />
        <script type="module" src={`${place.home}/dashboard.js`} />
      </head>
      <body
        data-view={place.view}
        data-session={place.session}
        data-events={place.toApi('/events')}
        data-now={String(parts.clock())}
      >
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Sidebar show={show} theme={theme} />
        <link rel="stylesheet" href={`${place.home}/dashboard.css`} />
        <main id="main" tabindex={-1} class={`view-${place.view}`}>
          <NoticeBar show={show} />
          <Problems show={show} />
          <Unknown kind="view" name={show.param('view')} known={views} />
          {children}
        </main>
        <div id="announcer" class="sr" role="status" aria-live="polite" />
      </body>
    </html>
  )
}
