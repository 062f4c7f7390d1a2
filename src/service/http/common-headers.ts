/** What the headers common to all responses depend on. */
interface CommonFacts {
  readonly correlationId: string
  /** The id of the endpoint's operation. */
  readonly operation?: string | undefined
  readonly scenarios?: readonly string[]
  readonly warning?: string | undefined
}

/**
 * The headers common to all responses. This is the only list of them: CORS exposes them and scenarios spell them
 * accordingly.
 */
export function toCommonHeaders({ correlationId, operation, scenarios, warning }: CommonFacts): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Correlation-ID': correlationId,
    'X-Content-Type-Options': 'nosniff',
  }
  if (operation !== undefined) headers['X-Mock-Operation'] = operation
  if (scenarios !== undefined && scenarios.length > 0) headers['X-Mock-Scenario'] = scenarios.join(', ')
  if (warning !== undefined) headers['X-Mock-Warning'] = warning
  return headers
}

/** The names of the common headers. */
export const commonHeaderNames: readonly string[] = Object.keys(
  toCommonHeaders({ correlationId: '', operation: '', scenarios: [''], warning: '' }),
)
