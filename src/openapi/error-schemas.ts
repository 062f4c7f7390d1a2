import * as z from 'zod'
import { errorCodes } from '../contract/error-codes.ts'
import { named } from '../contract/named.ts'
import { int32, int64 } from '../contract/numbers.ts'

/** The names of the envelopes, by status. */
const names: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  406: 'NotAcceptableError',
  409: 'ConflictError',
  413: 'ContentTooLargeError',
  415: 'UnsupportedMediaTypeError',
  429: 'TooManyRequestsError',
  500: 'InternalServerError',
  502: 'BadGatewayError',
  503: 'ServiceUnavailableError',
}

function toEnvelope(status: number, codes: readonly [string, ...string[]]): z.ZodType {
  const code = z.enum(codes)
  const entry = z.looseObject({
    code,
    message: z.string(),
    // What the next try has to name.
    ...(status === 409 ? { currentVersion: int64 } : {}),
  })
  const isOfToken = status === 401 || status === 403
  return z
    .looseObject({
      statusCode: int32.meta({ type: 'integer', format: 'int32', enum: [status] }),
      message: z.string(),
      errors: z.array(entry).min(1),
      ...(isOfToken ? { error: code, error_description: z.string() } : {}),
    })
    .meta(named(names[status] ?? `Error${status}`, `The error envelope of status ${status}`))
}

/** The error envelope of each status: its codes, and what its entries carry beside their message. */
export const errorSchemas: ReadonlyMap<number, z.ZodType> = new Map(
  Object.entries(errorCodes).map(([status, codes]) => [Number(status), toEnvelope(Number(status), codes)]),
)
