import { ContractView } from './views/contract.tsx'
import { CoverageView } from './views/coverage.tsx'
import { DataView } from './views/data.tsx'
import { RequestsView } from './views/requests.tsx'
import { ScenariosView } from './views/scenarios.tsx'
import { SessionsView } from './views/sessions.tsx'
import type { View } from './place.ts'
import type { Child } from 'hono/jsx'
import { NoticeBar } from './parts/notice.tsx'
import { PageHead } from './parts/page-head.tsx'
import { Sidebar } from './parts/sidebar.tsx'
import { Unknown } from './parts/fault.tsx'
import { toHere, viewTitles, views } from './place.ts'
import { DEFAULT_SESSION } from '../sessions/sessions.ts'
import type { ViewContext } from './view-context.ts'
import type { Theme } from './theme.ts'

interface FrameProps {
  readonly context: ViewContext
  readonly theme: Theme
  readonly children?: Child
}

/** Fixtures and scenarios that `--watch` could not read. */
const Problems = ({ context: { parts } }: { readonly context: ViewContext }) => {
  const problems = parts.problems()
  return (
    <div id="problems" data-live>
      {problems.map((sentence) => (
        <p class="notice failed" role="alert">
          {sentence} The mock still serves the last version it could read.
        </p>
      ))}
    </div>
  )
}

/** Says that the session has ended; the default session starts again by itself. */
const Ended = ({ context: { place } }: { readonly context: ViewContext }) =>
  place.session !== DEFAULT_SESSION && (
    <p
      id="ended"
      class="notice failed"
      role="alert"
      data-sessions={`${place.sharedHome}/sessions?session=${DEFAULT_SESSION}`}
      hidden
    >
      <span>
        Session {place.session} has ended. This page shows its last state. You can{' '}
        <span id="start-again">
          <a href={toHere(place)}>start it again</a>, or{' '}
        </span>
        go to <a href={place.toSession(DEFAULT_SESSION, place.view)}>{DEFAULT_SESSION}</a>.
      </span>
    </p>
  )

/** The frame of every page. It needs only the inline style, so it is painted first. */
export const Frame = ({ context, theme, children }: FrameProps) => {
  const { place, parts } = context
  return (
    <html lang="en" data-theme={theme}>
      <PageHead
        title={`${viewTitles[place.view]} · ${place.session}`}
        home={place.sharedHome}
        colorScheme={theme === 'auto' ? undefined : theme}
      />
      <body
        data-view={place.view}
        data-session={place.session}
        data-address={toHere(place)}
        data-events={place.toApi('/events')}
        data-now={String(parts.clock())}
      >
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Sidebar context={context} theme={theme} />
        {children}
        <p id="away" class="notice failed" role="alert" hidden>
          The mock is not responding. This page will reconnect.
        </p>
        <Ended context={context} />
        <div id="announcer" class="sr" role="status" aria-live="polite" />
        <script type="module" src={`${place.home}/dashboard.js`} />
      </body>
    </html>
  )
}

/** The view, after the style sheet that it needs. */
export const Content = ({ context }: { readonly context: ViewContext }) => {
  const { place } = context
  return (
    <>
      <link rel="stylesheet" href={`${place.home}/dashboard.css`} />
      <main id="main" tabindex={-1} class={`view-${place.view}`}>
        <NoticeBar context={context} />
        <Problems context={context} />
        <Unknown kind="view" name={context.param('view')} known={views} />
        <ViewOf context={context} />
      </main>
    </>
  )
}

const shown = {
  requests: RequestsView,
  scenarios: ScenariosView,
  data: DataView,
  sessions: SessionsView,
  contract: ContractView,
  coverage: CoverageView,
} as const satisfies Readonly<Record<View, unknown>>

export const ViewOf = ({ context }: { readonly context: ViewContext }) => {
  const View = shown[context.place.view]
  return <View context={context} />
}
