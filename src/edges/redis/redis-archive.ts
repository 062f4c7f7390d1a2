import type { SharedArchive } from '../../sessions/shared-store.ts'
import { RUNS } from '../../sessions/shared-store.ts'
import type { Engine, Keys } from './connection.ts'

/** How long runs and archived sessions are kept after the last change, in seconds. */
const ARCHIVE_LIFETIME = 604_800

/** Maximum number of changes kept for mocks that start later. A test has three or four. */
const MOST_ARCHIVED_CHANGES = 30_000

/** Number of changes read at a time. */
const PAGE = 500

/** The last item of an archived session that is complete. */
const LAST_FIELD = ''

/**
 * Opens the runs and archived sessions of all mocks. The changes of runs are a stream, an archived session is a list.
 *
 * @param number of this mock, which does not read its own changes
 */
export function openRedisArchive(engine: Engine, keys: Keys, number: number): SharedArchive {
  const by = String(number)
  let last = ''

  return {
    async append(change) {
      await engine.send('runs', (client) =>
        Promise.all([
          client.xadd(keys.runs, 'MAXLEN', '~', MOST_ARCHIVED_CHANGES, '*', 'by', by, 'change', change),
          client.expire(keys.runs, ARCHIVE_LIFETIME),
          client.publish(keys.news, RUNS),
        ]),
      )
    },
    async readChanges() {
      const changes: string[] = []
      for (;;) {
        const from = last === '' ? '-' : `(${last}`
        // oxlint-disable-next-line no-await-in-loop -- pages are read in sequence
        const page = await engine.sendWithRetry('runs', (client) => client.xrange(keys.runs, from, '+', 'COUNT', PAGE))
        for (const [id, [, author, , change = '']] of page) {
          last = id
          if (author !== by) changes.push(change)
        }
        if (page.length < PAGE) return changes
      }
    },
    async put(id, parts) {
      const key = keys.archive(id)
      const push = (part: string) =>
        engine.send('archive', (client) => Promise.all([client.rpush(key, part), client.expire(key, ARCHIVE_LIFETIME)]))
      for await (const part of parts) await push(part)
      await push(LAST_FIELD)
    },
    async get(id) {
      const parts: string[] = []
      for (;;) {
        const at = parts.length
        // oxlint-disable-next-line no-await-in-loop -- one part at a time, so that others are not delayed
        const part = await engine.sendWithRetry('archive', (client) => client.lindex(keys.archive(id), at))
        if (part === null) return undefined
        if (part === LAST_FIELD) return parts
        parts.push(part)
      }
    },
    async remove(id) {
      await engine.send('archive', (client) => client.del(keys.archive(id)))
    },
  }
}
