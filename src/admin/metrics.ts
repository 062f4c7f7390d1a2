import { Hono } from 'hono'
import type { MetricsParts } from './metrics-text.ts'
import type { AdminEnv } from './request.ts'

/** What the mock counts, for Prometheus. */
export function createMetricsRoutes(parts: MetricsParts): Hono<AdminEnv> {
  const startedAt = parts.elapsed()
  const routes = new Hono<AdminEnv>()
  routes.get('/metrics', async () => {
    // Loaded by those who read it: a page that has the mock in it does not.
    const { toMetricsText } = await import('./metrics-text.ts')
    return new Response(toMetricsText(parts, startedAt), {
      headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
    })
  })
  return routes
}
