import type { OpenTelemetry } from '../pipeline/spans.ts'
import { findErrorCode } from '../util/error-code.ts'

/** Where version 1 of the API keeps what an SDK registers. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

const NOT_INSTALLED = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])

/** Imports `@opentelemetry/api`, an optional peer, if an SDK is registered: without one a start would only take longer. */
export async function findOpenTelemetry(): Promise<OpenTelemetry | undefined> {
  if (!(REGISTERED in globalThis)) return undefined
  try {
    return await import('@opentelemetry/api')
  } catch (fault) {
    if (NOT_INSTALLED.has(findErrorCode(fault) ?? '')) return undefined
    throw fault
  }
}
