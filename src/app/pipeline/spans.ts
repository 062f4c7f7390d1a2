import { endpoints, isOperation } from '../../service/contract/endpoints.ts'
import type { ReadHeader } from '../../service/http/request-head.ts'
import type { Exchange } from './exchange.ts'
import type { Serve } from './reply.ts'

type Attributes = Readonly<Record<string, string | number | string[]>>

interface Span {
  updateName(name: string): unknown
  setAttributes(attributes: Attributes): unknown
  setStatus(status: { readonly code: number }): unknown
  end(): void
}

/** The OpenTelemetry context of a call, which contains its span. */
interface CallContext {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): CallContext
  deleteValue(key: symbol): CallContext
}

/** The parts of `@opentelemetry/api` used to create spans. */
export interface OpenTelemetry {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options: { kind: number; attributes: Attributes }, parent: CallContext): Span
    }
    getActiveSpan(): object | undefined
    setSpan(parent: CallContext, span: Span): CallContext
  }
  readonly context: {
    active(): CallContext
    with<Result>(context: CallContext, run: () => Result): Result
  }
  readonly propagation: {
    extract(
      context: CallContext,
      carrier: ReadHeader,
      getter: { get(carrier: ReadHeader, name: string): string | undefined; keys(): string[] },
    ): CallContext
  }
}

// OpenTelemetry's SpanKind and SpanStatusCode.
const INTERNAL = 0
const SERVER = 1
const ERROR = 2

const getter = { get: (header: ReadHeader, name: string) => header(name.toLowerCase()), keys: () => [] }

/** Sets the attributes of OpenTelemetry's HTTP server conventions and of the mock. */
function describeSpan(span: Span, exchange: Exchange, status: number): void {
  const { method, operation, sessionName, scenarios, fault } = exchange
  const isError = fault !== undefined || status >= 500
  const route = isOperation(operation) ? endpoints[operation].path : undefined
  if (route !== undefined) span.updateName(`${method} ${route}`)
  span.setAttributes({
    ...(status === 0 ? {} : { 'http.response.status_code': status }),
    ...(isError ? { 'error.type': fault ?? String(status) } : {}),
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(operation === undefined ? {} : { 'mock.operation': operation }),
    ...(scenarios.length === 0 ? {} : { 'mock.scenario': [...scenarios] }),
    'mock.session': sessionName,
  })
  if (isError) span.setStatus({ code: ERROR })
}

/** Serves each request in a span whose parent comes from the request's `traceparent`. */
export function serveInSpans({ trace, context, propagation }: OpenTelemetry, serve: Serve): Serve {
  const tracer = trace.getTracer('resource-mock')

  return async function serveInSpan(exchange) {
    if (exchange.isInternal) return serve(exchange)
    // Node's HTTP instrumentation has already read `traceparent` and started its own span.
    const isNested = trace.getActiveSpan() !== undefined
    const parent = isNested ? context.active() : propagation.extract(context.active(), exchange.header, getter)
    const { method, address, target } = exchange
    const attributes = {
      'http.request.method': method,
      'url.scheme': address.origin.slice(0, address.origin.indexOf(':')),
      // Without the query, which may contain secrets.
      'url.path': target.split('?', 1)[0] ?? target,
    }
    const span = tracer.startSpan(method, { kind: isNested ? INTERNAL : SERVER, attributes }, parent)
    let status = 0
    try {
      const response = await context.with(trace.setSpan(parent, span), () => serve(exchange))
      if (exchange.fault === undefined) status = exchange.status === 0 ? response.status : exchange.status
      return response
    } finally {
      describeSpan(span, exchange, status)
      span.end()
    }
  }
}
