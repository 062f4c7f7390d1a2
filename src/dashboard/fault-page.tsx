import type { Problem } from '../errors.ts'
import { ADMIN_PATH } from '../http/request-head.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { toSentence } from './notice.ts'
import { toPageText } from './page-text.ts'
import { Icon } from './parts/icon.tsx'
import { PageHead } from './parts/page-head.tsx'
import { toPageHeaders } from './security.ts'

/** The heading of a fault page, by status. */
const HEADINGS: Readonly<Record<number, string>> = {
  401: 'This mock needs its admin token',
  403: 'The dashboard cannot be opened from here',
  404: 'Page not found',
}

interface FaultPageProps {
  readonly fault: Problem
  /** The path of a dashboard that exists. */
  readonly home: string
  /** Where the token is sent. */
  readonly tokenTarget: string
  /** The other parameters of the requested URL. */
  readonly asked: readonly (readonly [string, string])[]
}

const FaultPage = ({ fault, home, tokenTarget, asked }: FaultPageProps) => {
  const heading = HEADINGS[fault.status] ?? 'Something went wrong'
  return (
    <html lang="en" data-theme="auto">
      <PageHead title={heading} home={home} />
      <body class="alone">
        <main class="card alone-card">
          <h1>{heading}</h1>
          {fault.status === 401 && (
            <form method="get" action={tokenTarget}>
              {asked.map(([name, value]) => (
                <input type="hidden" name={name} value={value} />
              ))}
              <label for="token">Admin token (--admin-token)</label>
              <input id="token" type="password" name="token" required autofocus autocomplete="current-password" />
              <button class="button primary">Open the dashboard</button>
            </form>
          )}
          <p class="quiet">
            <Icon name="info" /> {toSentence(fault)}
          </p>
          {fault.status !== 401 && fault.status !== 403 && (
            <p>
              <a class="button" href={home}>
                Open the dashboard
              </a>
            </p>
          )}
        </main>
      </body>
    </html>
  )
}

/** Renders a fault as a page. */
export async function renderFault(fault: Problem, { address, session, request }: Exchange): Promise<Response> {
  const tokenTarget = `${address.prefix}${ADMIN_PATH}`
  // If no session was entered, the one in the path may be what is wrong.
  const home = session === undefined ? ADMIN_PATH : tokenTarget
  const asked = [...new URLSearchParams(address.search)].filter(([name]) => name !== 'token' && name !== 'part')
  return new Response(
    await toPageText(<FaultPage fault={fault} home={home} tokenTarget={tokenTarget} asked={asked} />),
    {
      status: fault.status,
      headers: { ...fault.headers, ...toPageHeaders(request.headers), 'Cache-Control': 'no-store' },
    },
  )
}
