/** The error codes of each status (decisions, "Errors"), those of the token endpoints aside. */
export const errorCodes: Readonly<Record<number, readonly [string, ...string[]]>> = {
  400: ['InvalidJsonInput', 'RequiredField', 'InvalidField', 'InvalidInput'],
  401: ['invalid_token'],
  403: ['insufficient_scope'],
  404: ['ResourceNotFound'],
  405: ['MethodNotAllowed'],
  406: ['InvalidInput'],
  409: ['ConcurrentModification'],
  413: ['ContentTooLarge'],
  415: ['InvalidInput'],
  429: ['TooManyRequests'],
  // The second one only with --check-responses.
  500: ['General', 'ContractViolation'],
  502: ['BadGateway'],
  503: ['OverCapacity'],
}
