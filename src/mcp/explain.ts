import { SetupError } from '../errors.ts'
import type { JournaledRequest } from '../journal/logged-request.ts'
import { findFirst, readNewest, readRequest, toSummary } from './exchange.ts'
import type { MockAccess } from './tool.ts'

/** How many requests are searched for the last failure. */
const SEARCHED = 200

const isFailure = ({ response: { status, fault } }: JournaledRequest): boolean => status >= 400 || fault !== undefined

/**
 * Explains a request of the journal, as the admin API does.
 *
 * @param id default: the last request that failed
 * @throws {SetupError} if there is none.
 */
export async function explainFailure(mock: MockAccess, id: string | undefined): Promise<object> {
  const request =
    id === undefined ? await findFirst(readNewest(mock, SEARCHED), isFailure) : await readRequest(mock, id)
  if (request === undefined) {
    throw new SetupError(
      `None of the last ${SEARCHED} requests of this session failed. Name one by its id: list_requests has them.`,
    )
  }
  const explanation = await mock.admin.ask('GET', `/requests/${encodeURIComponent(request.id)}/explanation`)
  return { ...toSummary(request), ...(explanation as object) }
}
