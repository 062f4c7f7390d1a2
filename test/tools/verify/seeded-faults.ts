import { bodies } from './faults/bodies.ts'
import { complex } from './faults/complex.ts'
import { conditions } from './faults/conditions.ts'
import { deletions } from './faults/deletions.ts'
import { drafts } from './faults/drafts.ts'
import type { SeededFault } from './faults/fault.ts'
import { reads } from './faults/reads.ts'
import { search } from './faults/search.ts'
import { selections } from './faults/selections.ts'
import { service } from './faults/service.ts'
import { detailsOfReads } from './faults/details-of-reads.ts'
import { detailsOfWrites } from './faults/details-of-writes.ts'
import { updates } from './faults/updates.ts'
import { uploads } from './faults/uploads.ts'
import { writes } from './faults/writes.ts'

/** Problems of third-party services, each of which verify has to find. */
export const seededFaults: readonly SeededFault[] = [
  ...drafts,
  ...writes,
  ...updates,
  ...deletions,
  ...uploads,
  ...complex,
  ...selections,
  ...conditions,
  ...search,
  ...reads,
  ...bodies,
  ...service,
  ...detailsOfWrites,
  ...detailsOfReads,
]
