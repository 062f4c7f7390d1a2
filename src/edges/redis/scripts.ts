import { ADD, COUNT_ONCE, GUARD, RECORD, SESSION_LIFETIME, toPrelude } from './count-scripts.ts'
import type { CountReply } from './count-scripts.ts'

/*
 * The scripts that run atomically inside Redis. A session has these keys:
 *
 * - `head`, a hash: `start` and `base`, the positions before the first commit of the log and at the snapshot; `baseMark`,
 *   the id of the commit there; `ended`, if the session has ended; the lengths of log and snapshot; data about the journal
 * - `log`, a list of commits; each starts with its id of 16 characters and a line of JSON with the keys that it writes
 * - `snap`, the changes that rebuild the session as of `base`
 * - `journal`, a stream; `counters` and `buckets`, hashes by rule
 * - `starts`, a hash: when each scenario was activated
 * - `counts`, a hash: the coverage; `failed`, a hash by request: failures that its client may recover from
 *
 * They have no expiry during the session, and are removed with it. Writes to an ended session expire: see `GUARD`.
 */

/**
 * Starts a session unless the limit is reached. In that case the longest idle session has to end, if it was idle long
 * enough. It counts as used now, so that no other mock ends it too.
 *
 * Key: sessions. Arguments: the name, the time, the session limit, the minimum idle time, the session that never ends.
 */
const BEGIN = `
local now, most = tonumber(ARGV[2]), tonumber(ARGV[3])
if redis.call('ZSCORE', KEYS[1], ARGV[1]) or ARGV[1] == ARGV[5] or redis.call('ZCARD', KEYS[1]) < most then
  redis.call('ZADD', KEYS[1], 'GT', now, ARGV[1])
  return { 'begun' }
end
local first = redis.call('ZRANGE', KEYS[1], 0, 1, 'WITHSCORES')
local at = first[1] == ARGV[5] and 3 or 1
local name, usedAt = first[at], first[at + 1]
if not name or tonumber(usedAt) > now - tonumber(ARGV[4]) then return { 'full' } end
redis.call('ZADD', KEYS[1], now, name)
return { 'idle', name, usedAt }
`

/** The clock of Redis in milliseconds; the first argument is how far the session's clock was moved forward. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000 + tonumber(ARGV[1])
`

/** Counts a request that matches a rule. Keys: head, counters. Argument: the rule. */
const HIT = `${GUARD}
if isFinal then return 1 end
local count = redis.call('HINCRBY', KEYS[2], ARGV[1], 1)
keep(2)
return count
`

/** Milliseconds since a scenario was activated. Keys: head, starts. Arguments: milliseconds moved forward, scenario. */
const ELAPSED = `${GUARD}
${NOW}
local start = redis.call('HGET', KEYS[2], ARGV[2])
if not start and not isFinal then
  start = redis.call('HGET', KEYS[2], '') or string.format('%.17g', now)
  redis.call('HSET', KEYS[2], ARGV[2], start)
  keep(2)
end
return math.floor(math.max(0, now - tonumber(start or now)))
`

/** Records an activation. Keys: head, starts. Arguments: milliseconds moved forward, scenario ('': all not in the hash). */
const SCRIPT_START = `${GUARD}
if isFinal then return 0 end
${NOW}
redis.call('HSET', KEYS[2], ARGV[2], string.format('%.17g', now))
keep(2)
return 1
`

/** A token bucket. Keys: head, buckets. Arguments: the milliseconds moved forward, the rule, its size, tokens per millisecond. */
const TAKE = `${GUARD}
${NOW}
local size, left, at = tonumber(ARGV[3]), tonumber(ARGV[3]), now
local known = redis.call('HGET', KEYS[2], ARGV[2])
if known then
  local space = string.find(known, ' ', 1, true)
  left, at = tonumber(string.sub(known, 1, space - 1)), tonumber(string.sub(known, space + 1))
end
left = math.min(size, left + math.max(0, now - at) * tonumber(ARGV[4]))
local isAllowed = left >= 1
if isAllowed then left = left - 1 end
if not isFinal then
  redis.call('HSET', KEYS[2], ARGV[2], string.format('%.17g %.17g', left, now))
  keep(2)
end
return { isAllowed and 1 or 0, string.format('%.17g', left) }
`

/** Writes nothing, but fails on a read-only replica, whose data may be stale. */
const ON_PRIMARY = `redis.call('HDEL', KEYS[1], '')`

const PRELUDE = toPrelude(2, 3)

/** Keys: head, log, snap. Arguments: the reader's position and commit id. */
const SINCE = `${ON_PRIMARY}
${PRELUDE}
return missedSince(tonumber(ARGV[1]), ARGV[2])
`

/**
 * Appends a commit unless it conflicts with one that the writer had not seen. If the commit already exists because the
 * reply to an earlier attempt was lost, it counts as appended.
 *
 * Keys: head, log, snap, and all others of the session. Arguments: the writer's position (-1: the commit depends on
 * nothing) and commit id, the keys that it read as JSON, the new commit id, the commit, how the commit ends the session,
 * channel, session.
 */
const APPEND = `${PRELUDE}
local at, mine, ending = tonumber(ARGV[1]), ARGV[4], ARGV[6]
if ended == 'final' then
  if ending == '' then return { 'final' } end
  ending = 'final'
end
local missed = {}
if at >= 0 then
  if not isKnown(at, ARGV[2]) then return whole() end
  if at < last then missed = redis.call('LRANGE', KEYS[2], at - start, -1) end
  if #missed > 0 then
    local reads, isOvertaken = {}, false
    for _, name in ipairs(cjson.decode(ARGV[3])) do reads[name] = true end
    for _, commit in ipairs(missed) do
      if string.sub(commit, 1, 16) == mine then return { 'kept', missed, 0, 0 } end
      for _, name in ipairs(cjson.decode(string.sub(commit, 17, string.find(commit, '\\n', 1, true) - 1))[1]) do
        if reads[name] then isOvertaken = true end
      end
    end
    if isOvertaken then return { 'tail', missed } end
  end
end
last = redis.call('RPUSH', KEYS[2], mine .. ARGV[5]) + start
missed[#missed + 1] = mine
local bytes = 0
if ending == '' then
  bytes = redis.call('HINCRBY', KEYS[1], 'bytes', #ARGV[5])
  if ended ~= '' then
    redis.call('HDEL', KEYS[1], 'ended')
    for _, key in ipairs(KEYS) do redis.call('PERSIST', key) end
  end
else
  redis.call('DEL', unpack(KEYS, 2))
  redis.call('HSET', KEYS[1], 'start', last, 'base', last, 'baseMark', mine, 'ended', ending, 'bytes', 0, 'snapBytes', 0, 'requests', 0)
  redis.call('HINCRBY', KEYS[1], 'cleared', 1)
  redis.call('EXPIRE', KEYS[1], ${SESSION_LIFETIME})
end
redis.call('PUBLISH', ARGV[7], ARGV[8])
return { 'kept', missed, bytes, tonumber(head[4]) or 0 }
`

/** Keys: head, log, snap. Arguments: position and commit id of the snapshot, its text, commits to keep before it. */
const COMPACT = `${PRELUDE}
local at = tonumber(ARGV[1])
if at <= base or not isKnown(at, ARGV[2]) then return 0 end
local from = math.max(start, at - tonumber(ARGV[4]))
redis.call('SET', KEYS[3], ARGV[3])
redis.call('LTRIM', KEYS[2], from - start, -1)
redis.call('HSET', KEYS[1], 'start', from, 'base', at, 'baseMark', ARGV[2], 'bytes', 0, 'snapBytes', #ARGV[3])
return 1
`

/** Keys: head, journal. Arguments: channel, session. */
const CLEAR = `
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[1], 'requests', 0)
redis.call('HINCRBY', KEYS[1], 'cleared', 1)
return redis.call('PUBLISH', ARGV[1], ARGV[2])
`

/** Keys: head, journal. Arguments: channel, session, stream ids. */
const REMOVE = `
for at = 3, #ARGV do redis.call('XDEL', KEYS[2], ARGV[at]) end
redis.call('HINCRBY', KEYS[1], 'requests', 2 - #ARGV)
redis.call('HINCRBY', KEYS[1], 'cleared', 1)
return redis.call('PUBLISH', ARGV[1], ARGV[2])
`

/**
 * Reads the journal from a reader's position, or from the start if the journal was cleared since or the engine has lost the
 * last entry read.
 *
 * Keys: head, journal, counters. Arguments: the id of the last entry read, how often the journal had been cleared by then,
 * the page size in bytes: a page always has at least one entry.
 */
const LOOK = `
${ON_PRIMARY}
local head = redis.call('HMGET', KEYS[1], 'cleared', 'requests')
local cleared, last, from = head[1] or '0', ARGV[1], '-'
local goesOn = cleared == ARGV[2] and (last == '' or #redis.call('XRANGE', KEYS[2], last, last) == 1)
if goesOn and last ~= '' then from = '(' .. last end
local page, bytes, most, count = {}, 0, tonumber(ARGV[3]), 1
local isFull, isEnd = false, false
repeat
  local some = redis.call('XRANGE', KEYS[2], from, '+', 'COUNT', count)
  isEnd = #some < count
  for _, one in ipairs(some) do
    bytes = bytes + #one[2][2]
    isFull = bytes > most and #page > 0
    if isFull then break end
    page[#page + 1] = one
    from = '(' .. one[1]
  end
  count = count * 2
until isFull or isEnd
return {
  goesOn and 1 or 0,
  cleared,
  tonumber(head[2]) or 0,
  isFull and 1 or 0,
  page,
  redis.call('HGETALL', KEYS[3]),
}
`

/** The scripts by name, with their number of keys. */
export const scripts = {
  mockSince: { numberOfKeys: 3, lua: SINCE },
  mockAppend: { numberOfKeys: 9, lua: APPEND },
  mockCompact: { numberOfKeys: 3, lua: COMPACT },
  mockRecord: { numberOfKeys: 10, lua: RECORD },
  mockCount: { numberOfKeys: 8, lua: COUNT_ONCE },
  mockAdd: { numberOfKeys: 3, lua: ADD },
  mockBegin: { numberOfKeys: 1, lua: BEGIN },
  mockClear: { numberOfKeys: 2, lua: CLEAR },
  mockRemove: { numberOfKeys: 2, lua: REMOVE },
  mockLook: { numberOfKeys: 3, lua: LOOK },
  mockHit: { numberOfKeys: 2, lua: HIT },
  mockTake: { numberOfKeys: 2, lua: TAKE },
  mockElapsed: { numberOfKeys: 2, lua: ELAPSED },
  mockStart: { numberOfKeys: 2, lua: SCRIPT_START },
}

/** Commits that a reader has not seen, or the whole session if the log does not continue from the reader's position. */
export type SinceReply =
  | readonly ['tail', readonly string[]]
  | readonly ['whole', base: number, baseMark: string, ended: string, snap: string, readonly string[]]
  /** The engine has evicted part of the session. */
  | readonly ['lost']

export type AppendReply =
  | SinceReply
  | readonly ['kept', readonly string[], bytes: number, snapBytes: number]
  /** The session was permanently deleted. */
  | readonly ['final']
export type RecordReply = SinceReply | readonly ['kept', readonly CountReply[]]
export type LookReply = readonly [
  goesOn: number,
  cleared: string,
  requests: number,
  hasMore: number,
  entries: readonly (readonly [id: string, fields: readonly [name: string, text: string]])[],
  counters: readonly string[],
]

type Script<Reply> = (...parameters: readonly (string | number)[]) => Promise<Reply>

/** The scripts as methods of a client, available once they are defined. */
export interface ScriptMethods extends Record<
  'mockCompact' | 'mockClear' | 'mockRemove' | 'mockHit' | 'mockElapsed' | 'mockStart',
  Script<number>
> {
  readonly mockSince: Script<SinceReply>
  readonly mockAppend: Script<AppendReply>
  readonly mockRecord: Script<RecordReply>
  readonly mockCount: Script<CountReply>
  readonly mockAdd: Script<null>
  readonly mockBegin: Script<readonly ['begun'] | readonly ['full'] | readonly ['idle', name: string, usedAt: string]>
  readonly mockLook: Script<LookReply>
  readonly mockTake: Script<readonly [isAllowed: number, left: string]>
}
