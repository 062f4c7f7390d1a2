import * as z from 'zod'
import { createTool } from '../mcp/exchange.ts'
import { createSocketTransport } from '../node/socket-transport.ts'
import { verify } from '../verify/verify.ts'

/** Milliseconds that a response of the provider may take. */
const TIMEOUT = 10_000

/** The tool that checks another service, which a mock over HTTP does not do for its callers. */
export const verifyProvider = createTool({
  name: 'verify_provider',
  description:
    'Checks a service against the contract: calls every operation, and reports which checks passed, failed or could not run. Reads only, unless writes are allowed; what it wrote it removes.',
  input: z.object({
    url: z.url().describe('base URL, up to the project key'),
    allowWrites: z.boolean().optional(),
    project: z.string().optional().describe('default: acme'),
    token: z.string().optional().describe('bearer token; default: the environment variable RESOURCE_MOCK_VERIFY_TOKEN'),
  }),
  hasSession: false,
  call: ({ url, allowWrites = false, project = 'acme', token }) =>
    verify({
      url,
      project,
      credentials: { kind: 'token', token: token ?? process.env['RESOURCE_MOCK_VERIFY_TOKEN'] ?? 'any' },
      allowsWrites: allowWrites,
      timeout: TIMEOUT,
      transport: createSocketTransport(),
      newId: () => crypto.randomUUID(),
      elapsed: () => performance.now(),
    }),
})
