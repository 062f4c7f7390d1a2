import type { Problem } from '../errors.ts'
import { toPageText } from './page-text.ts'
import { Icon } from './parts/icon.tsx'
import { pageHeaders } from './security.ts'

interface SignInProps {
  /** Where the dashboard is. */
  readonly home: string
  /** What was wrong. */
  readonly sentence: string
  /** Whether a token would help. */
  readonly canSignIn: boolean
}

/** What stands in the place of the dashboard for whoever may not see it. */
const SignIn = ({ home, sentence, canSignIn }: SignInProps) => (
  <html lang="en" data-theme="auto">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{canSignIn ? 'Sign in · resource-mock' : 'Not here · resource-mock'}</title>
      <link rel="icon" type="image/svg+xml" href={`${home}/dashboard.svg`} />
      <link rel="stylesheet" href={`${home}/dashboard.css`} />
    </head>
    <body class="alone">
      <main class="card sign-in">
        <h1>{canSignIn ? 'This mock asks for its admin token' : 'The dashboard is not for this address'}</h1>
        {canSignIn ? (
          <form method="get" action={home}>
            <label for="token">Token of --admin-token</label>
            <input id="token" type="password" name="token" required autofocus autocomplete="current-password" />
            <button class="button primary">Open the dashboard</button>
          </form>
        ) : null}
        <p class="quiet">
          <Icon name="info" /> {sentence}
        </p>
      </main>
    </body>
  </html>
)

/** The page that stands in the place of the dashboard for whoever may not see it. */
export async function renderSignIn(fault: Problem, home: string): Promise<Response> {
  const page = <SignIn home={home} sentence={fault.message} canSignIn={fault.status === 401} />
  return new Response(await toPageText(page), {
    status: fault.status,
    headers: { ...fault.headers, ...pageHeaders, 'Cache-Control': 'no-store' },
  })
}
