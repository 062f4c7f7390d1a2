import type { SharedArchive } from '../../sessions/shared-store.ts'
import { RUNS } from '../../sessions/shared-store.ts'
import type { Client, Engine, Keys } from './redis-connection.ts'

/** How long runs and archived sessions are kept after the last change, in seconds. */
const ARCHIVE_LIFETIME = 604_800

/** Maximum number of changes kept for mocks that start later. A test has three or four. */
const MOST_ARCHIVED_CHANGES = 30_000

/** Number of changes read at a time. */
const PAGE = 500

/** The field of an archived session with the number of its parts. A session without it is incomplete. */
const PART_COUNT = 'count'

/** How often a command is sent that nobody would repeat. Each attempt takes up to the engine's timeout. */
const MOST_ATTEMPTS = 5

/**
 * Opens the runs and archived sessions of all mocks. The changes of runs are a stream, an archived session is a hash of its
 * parts, so that all commands can be repeated: applying a change twice is the same as applying it once.
 *
 * @param number of this mock, which does not read its own changes
 */
export function openRedisArchive(engine: Engine, keys: Keys, number: number): SharedArchive {
  const by = String(number)
  let last = ''

  /** @throws {Problem} 503 if all attempts fail. */
  async function persist<Reply>(name: string, command: (client: Client) => Promise<Reply>): Promise<void> {
    for (let left = MOST_ATTEMPTS - 1; ; left -= 1) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- attempts run in sequence
        await engine.sendWithRetry(name, command)
        return
      } catch (fault) {
        if (left === 0) throw fault
      }
    }
  }

  return {
    async append(change) {
      await persist('runs', (client) =>
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
      const set = (field: string, value: string) =>
        persist('archive', (client) =>
          Promise.all([client.hset(key, field, value), client.expire(key, ARCHIVE_LIFETIME)]),
        )
      let count = 0
      for await (const part of parts) {
        await set(String(count), part)
        count += 1
      }
      await set(PART_COUNT, String(count))
    },
    async get(id) {
      const read = (field: string) => engine.sendWithRetry('archive', (client) => client.hget(keys.archive(id), field))
      const count = await read(PART_COUNT)
      if (count === null) return undefined
      const parts: string[] = []
      while (parts.length < Number(count)) {
        // oxlint-disable-next-line no-await-in-loop -- one part at a time, so that others are not delayed
        const part = await read(String(parts.length))
        if (part === null) return undefined
        parts.push(part)
      }
      return parts
    },
    async remove(id) {
      await persist('archive', (client) => client.del(keys.archive(id)))
    },
  }
}
