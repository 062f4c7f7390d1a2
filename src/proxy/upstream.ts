import { SetupError, problem } from '../errors.ts'
import type { Problem } from '../errors.ts'

/** `fetch`, as far as the proxy needs it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The service behind the proxy. */
export interface Upstream {
  /** Without a slash at its end. */
  readonly url: string
  /**
   * Sends a request and resolves with the answer's head; redirects are answers.
   *
   * @throws {Problem} 502 where nothing answers, 504 where nothing answers in time.
   */
  send(target: string, init: RequestInit): Promise<UpstreamAnswer>
  /** A place that an answer names, as a path on the proxy; undefined for one that is elsewhere. */
  findPath(location: string): string | undefined
}

/** An answer whose body may still be on its way. */
export interface UpstreamAnswer {
  readonly response: Response
  /**
   * Waits for the rest of the answer, no longer than the time that is left.
   *
   * @throws {Problem} 502 where it breaks off, 504 where it does not come in time.
   */
  read<T>(reading: Promise<T>): Promise<T>
  /** The rest may take as long as it wants. */
  release(): void
}

interface UpstreamParts {
  readonly url: string
  /** In milliseconds. */
  readonly timeout: number
  readonly fetch: Fetch
}

/** @throws {SetupError} for what is no URL of a service. */
function expectUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SetupError(
      `The upstream ${JSON.stringify(text.replace(/^.*@/, '…@'))} is not the URL of a service. Give its base URL, such as https://api.example.com.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new SetupError(
      'The URL of the upstream holds a user or a password. Leave them out; clients send their own credentials.',
    )
  }
  if (url.search !== '' || url.hash !== '') {
    throw new SetupError('The URL of the upstream has a query or a fragment. Give its base URL alone.')
  }
  return url
}

/** What `fetch` says of its failure is in the cause: `connect ECONNREFUSED 127.0.0.1:9`. */
function toReason(fault: unknown): string {
  const cause = fault instanceof Error ? (fault.cause ?? fault) : fault
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? String(cause.code) : ''
  return cause.message === '' ? code : cause.message
}

export function createUpstream({ url: text, timeout, fetch }: UpstreamParts): Upstream {
  const base = expectUrl(text)
  const url = base.origin + base.pathname.replace(/\/+$/, '')

  function toProblem(fault: unknown, client: AbortSignal | undefined, deadline: AbortSignal): Problem {
    if (client?.aborted === true) {
      return problem.badGateway(`The client went away before the upstream ${url} had answered.`)
    }
    if (deadline.aborted) {
      return problem.gatewayTimeout(
        `The upstream ${url} did not answer within ${timeout} ms. Try again, or give it longer with --timeout.`,
      )
    }
    return problem.badGateway(`The upstream ${url} gave no valid answer: ${toReason(fault)}.`)
  }

  return {
    url,
    async send(target, init) {
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(), timeout)
      const release = (): void => clearTimeout(timer)
      const client = init.signal ?? undefined
      const signals = client === undefined ? [deadline.signal] : [client, deadline.signal]
      async function within<T>(waiting: Promise<T>): Promise<T> {
        try {
          return await waiting
        } catch (fault) {
          release()
          throw toProblem(fault, client, deadline.signal)
        }
      }
      const response = await within(
        fetch(url + target, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) }),
      )
      return { response, read: within, release }
    },
    findPath(location) {
      const found = URL.canParse(location, url) ? new URL(location, url).href : ''
      return found === url || found.startsWith(`${url}/`) ? found.slice(url.length) : undefined
    },
  }
}
