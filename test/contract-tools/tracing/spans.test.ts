import * as openTelemetry from '@opentelemetry/api'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../../src/index.ts'
import { startServer } from '../../../src/node.ts'
import type { ServerOptions } from '../../../src/node.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
trace.setGlobalTracerProvider(provider)
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT_ID = '00f067aa0ba902b7'
const traceparent = `00-${TRACE_ID}-${PARENT_ID}-01`

beforeEach(() => exporter.reset())

async function start(options: ServerOptions = {}): Promise<string> {
  const server = await startServer({ port: 0, auth: 'off', ...options })
  onTestFinished(() => server.close())
  return server.url
}

/** Returns the ended spans; a span ends just after its response is returned. */
const findSpans = async (count: number): Promise<readonly ReadableSpan[]> => {
  await expect.poll(() => exporter.getFinishedSpans()).toHaveLength(count)
  return exporter.getFinishedSpans()
}

const findSpan = async (): Promise<ReadableSpan> => (await findSpans(1))[0] ?? expect.fail('There is no span.')

describe('the span of a request', () => {
  it('is a server span with the name and attributes of the semantic conventions', async () => {
    const url = await start()
    await fetch(`${url}/@worker-1/acme/resource?limit=1`)
    const span = await findSpan()
    expect(span.kind).toBe(SpanKind.SERVER)
    expect(span.name).toBe('GET /{projectKey}/resource')
    expect(span.status.code).toBe(SpanStatusCode.UNSET)
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'url.scheme': 'http',
      'url.path': '/@worker-1/acme/resource',
      'http.route': '/{projectKey}/resource',
      'http.response.status_code': 200,
      'mock.operation': 'queryResources',
      'mock.session': 'worker-1',
    })
  })

  it('has the span of the traceparent header as its parent', async () => {
    const url = await start()
    await fetch(`${url}/acme/resource`, { headers: { traceparent } })
    const span = await findSpan()
    expect(span.spanContext().traceId).toBe(TRACE_ID)
    expect(span.parentSpanContext?.spanId).toBe(PARENT_ID)
  })

  it.each([undefined, 'nonsense'])('starts a new trace if the traceparent header is %s', async (header) => {
    const url = await start()
    await fetch(`${url}/acme/resource`, { headers: header === undefined ? {} : { traceparent: header } })
    expect((await findSpan()).parentSpanContext).toBeUndefined()
  })

  it('is named after the method only if no operation matches', async () => {
    const url = await start()
    await fetch(`${url}/products`)
    const { name, attributes, status } = await findSpan()
    expect(name).toBe('GET')
    expect(attributes).toMatchObject({ 'http.response.status_code': 404, 'url.path': '/products' })
    expect(attributes).not.toHaveProperty('http.route')
    expect(status.code).toBe(SpanStatusCode.UNSET)
  })

  it('has error status for responses from 500, and lists the scenarios that fired', async () => {
    const url = await start()
    await fetch(`${url}/acme/resource`, { headers: { 'X-Mock-Scenario': 'unavailable' } })
    const { attributes, status } = await findSpan()
    expect(status.code).toBe(SpanStatusCode.ERROR)
    expect(attributes).toMatchObject({
      'http.response.status_code': 503,
      'error.type': '503',
      'mock.scenario': ['unavailable'],
    })
  })

  it('has error status if a scenario breaks the connection', async () => {
    const url = await start()
    await fetch(`${url}/acme/resource`, { headers: { 'X-Mock-Scenario': 'offline' } }).catch(() => undefined)
    const { attributes, status } = await findSpan()
    expect(status.code).toBe(SpanStatusCode.ERROR)
    expect(attributes).toMatchObject({ 'error.type': 'CONNECTION_RESET_BY_PEER', 'mock.scenario': ['offline'] })
    expect(attributes).not.toHaveProperty('http.response.status_code')
  })

  it('is a child of the active span, such as that of an instrumented HTTP server', async () => {
    const mock = await createMock({ auth: 'off', openTelemetry })
    await provider.getTracer('test').startActiveSpan('GET', async (outer) => {
      await mock.fetch('/acme/resource', { headers: { traceparent } })
      outer.end()
    })
    const [inner, outer] = await findSpans(2)
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId)
    expect(inner?.kind).toBe(SpanKind.INTERNAL)
  })

  it('is active while the request is served', async () => {
    const active: unknown[] = []
    const mock = await createMock({
      auth: 'off',
      openTelemetry,
      onRequest: () => active.push(trace.getActiveSpan()?.spanContext().traceId),
    })
    await mock.fetch('/acme/resource', { headers: { traceparent } })
    expect(active).toEqual([TRACE_ID])
  })
})

it('requests through a session handle have no span', async () => {
  const mock = await createMock({ openTelemetry })
  await mock.session('worker-1').use('conflict')
  expect(exporter.getFinishedSpans()).toEqual([])
})

it('createMock creates no spans unless it gets the module', async () => {
  const mock = await createMock({ auth: 'off' })
  await mock.fetch('/acme/resource')
  expect(exporter.getFinishedSpans()).toEqual([])
})

it('createMock rejects anything except the module', async () => {
  // @ts-expect-error -- programs without TypeScript may pass this
  await expect(createMock({ openTelemetry: {} })).rejects.toThrow('the module @opentelemetry/api')
})
