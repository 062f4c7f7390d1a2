import { html } from 'hono/html'
import type { Answer } from '../contract/handler.ts'

interface WelcomeParts {
  readonly origin: string
  /** What comes before the mock's own paths, such as `/@s1`. */
  readonly prefix: string
  readonly hasDashboard: boolean
}

/** The page for a person who opens the mock's address in a browser. */
export async function toWelcomePage({ origin, prefix, hasDashboard }: WelcomeParts): Promise<Answer> {
  const dashboard = hasDashboard
    ? html`<p><a href="${prefix}/__admin">Open the dashboard</a> to see requests, switch scenarios and edit data.</p>`
    : ''
  const page = await html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <meta name="color-scheme" content="light dark" />
      <title>resource-mock</title>
      <style>
        body {
          font:
            1rem/1.5 system-ui,
            sans-serif;
          max-width: 40rem;
          margin: 3rem auto;
          padding: 0 1rem;
        }
      </style>
      <h1>resource-mock is running</h1>
      ${dashboard}
      <p>Paths of the API start with <code>/{projectKey}/resource</code>. Any project key works. Try it:</p>
      <pre><code>curl ${origin}${prefix}/acme/resource -H 'Authorization: Bearer anything'</code></pre>
    </html> `
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept',
  }
  return { status: 200, headers, body: page.toString() }
}
