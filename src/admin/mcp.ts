import { Hono } from 'hono'
import { problem } from '../errors.ts'
import type { AdminEnv, AdminRequest } from './request.ts'

/** Answers a request of the Model Context Protocol, whose body has been parsed. */
export type AnswerMcp = (request: Request, message: unknown, admin: AdminRequest) => Promise<Response>

/** The Model Context Protocol, streamable HTTP, for the session of the request. */
export function createMcpRoutes({ answerMcp }: { readonly answerMcp: AnswerMcp }): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.post('/mcp', async ({ env: { admin } }) => {
    const { headers, exchange } = admin
    // The body is read as all are: within the limits of the mock.
    const message = await admin.readJson()
    // A hundred calls in one request would hold up everybody else.
    if (Array.isArray(message)) {
      throw problem.invalidInput('Send one JSON-RPC message in each request, not an array of messages.')
    }
    return answerMcp(new Request(exchange.request.url, { method: 'POST', headers }), message, admin)
  })
  return routes
}
