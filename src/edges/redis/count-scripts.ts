import { MOST_FAILED_REQUESTS, MOST_SCENARIOS, SCENARIO } from '../../sessions/journal/counts.ts'

// The scripts that record and count requests; `scripts.ts` lists the keys of a session.

/** How long an ended session's keys are kept, in seconds: a mock that was suspended meanwhile detects the end. */
export const SESSION_LIFETIME = 604_800

/**
 * The start of a script that writes to a session: another mock may end the session during a request. Nothing is written to
 * a permanently deleted session. Writes to any other ended session expire unless a write restarts it.
 *
 * Key: head. `keep` is how many of the keys, from the first, get a new expiry.
 */
export const GUARD = `
local ended = redis.call('HGET', KEYS[1], 'ended')
local isFinal = ended == 'final'
local function keep(keys)
  if not ended then return end
  for key = 1, keys do redis.call('EXPIRE', KEYS[key], ${SESSION_LIFETIME}) end
end
`

/**
 * Defines a function that increments the counters with these names, in the hashes from the first to the last one. A new scenario is not
 * counted once there are many; other counts stay below that limit.
 */
const COUNT_SCRIPT = `
local function count(first, last, names)
  for key = first, last do
    for _, name in ipairs(names) do
      local isOpen = string.sub(name, 1, ${SCENARIO.length}) ~= '${SCENARIO}' or redis.call('HLEN', KEYS[key]) < ${2 * MOST_SCENARIOS}
      if isOpen or redis.call('HEXISTS', KEYS[key], name) == 1 then redis.call('HINCRBY', KEYS[key], name, 1) end
    end
  end
end
`

/**
 * Defines a function that records that a request failed, or returns its earlier failure and the time once it succeeds. It
 * takes the name of the request, '' if it neither failed nor succeeded, and how it failed, '' for a success. Times are from
 * the engine's clock, which all mocks share.
 */
const RECOVER = `
local function recover(request, failure)
if request == '' then return false end
local known = redis.call('HGET', KEYS[6], request)
if not known and failure == '' then return false end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if failure == '' then
  redis.call('HDEL', KEYS[6], request)
  return { now, known }
end
local kind, authorization, pause = string.match(failure, '(%S+) (%S*) (%S+)')
local kept = known and cjson.decode(known) or { order = time[1] * 1000000 + time[2], failures = {} }
kept.failures[kind] = { authorization = authorization, readyAt = now + pause }
redis.call('HSET', KEYS[6], request, cjson.encode(kept))
if redis.call('HLEN', KEYS[6]) > ${MOST_FAILED_REQUESTS} then
  local all, oldest, least = redis.call('HGETALL', KEYS[6]), nil, math.huge
  for at = 1, #all, 2 do
    local order = cjson.decode(all[at + 1]).order
    if order < least then oldest, least = all[at], order end
  end
  redis.call('HDEL', KEYS[6], oldest)
end
return false
end
`

/** The keys of a session that a request may have written to. */
const OWN_KEYS = 7

/** Defines a function that counts a request; only in the total if its session was permanently deleted. */
const COUNT_REQUEST = `
${COUNT_SCRIPT}
${RECOVER}
local function countRequest(request, failure, names)
  count(isFinal and ${OWN_KEYS + 1} or ${OWN_KEYS}, ${OWN_KEYS + 1}, names)
  return not isFinal and recover(request, failure)
end
`

/** Reads the head, and defines the checks of a reader's position. Takes the positions of the log and the snapshot in `KEYS`. */
export const toPrelude = (log: number, snap: number): string => `
local head = redis.call('HMGET', KEYS[1], 'start', 'base', 'ended', 'snapBytes', 'baseMark')
local start, base, ended, baseMark = tonumber(head[1]) or 0, tonumber(head[2]) or 0, head[3] or '', head[5] or ''
local last = start + redis.call('LLEN', KEYS[${log}])
local function isKnown(position, mark)
  if position == 0 then return last == 0 end
  if position == base then return baseMark == mark end
  if position <= start or position > last then return false end
  return string.sub(redis.call('LINDEX', KEYS[${log}], position - start - 1), 1, 16) == mark
end
local function whole()
  local snap = redis.call('GET', KEYS[${snap}])
  if not snap and (tonumber(head[4]) or 0) > 0 then return { 'lost' } end
  return { 'whole', base, baseMark, ended, snap or '', redis.call('LRANGE', KEYS[${log}], base - start, -1) }
end
local function missedSince(position, mark)
  if not isKnown(position, mark) then return whole() end
  if position == last then return { 'tail', {} } end
  return { 'tail', redis.call('LRANGE', KEYS[${log}], position - start, -1) }
end
`

/**
 * Records requests, unless they have read a state that is no longer current: then it returns the commits that they missed.
 *
 * Keys: head, journal, counters, buckets, starts, failed, counts, total, log, snap.
 * Arguments: maximum number of entries, channel, session, the readers' position (-1: they read nothing) and commit id; for
 * each request: its entry, the request and how it failed, the number of its counters, and their names.
 */
export const RECORD = `
do
  ${toPrelude(9, 10)}
  local at = tonumber(ARGV[4])
  if at >= 0 and (at ~= last or not isKnown(at, ARGV[5])) then return missedSince(at, ARGV[5]) end
end
${GUARD}
${COUNT_REQUEST}
local replies, at = {}, 6
while at <= #ARGV do
  if not isFinal then
    redis.call('XADD', KEYS[2], 'MAXLEN', '=', ARGV[1], '*', 'entry', ARGV[at])
    redis.call('HINCRBY', KEYS[1], 'requests', 1)
  end
  local names, last = {}, at + 3 + tonumber(ARGV[at + 3])
  for name = at + 4, last do names[#names + 1] = ARGV[name] end
  replies[#replies + 1] = countRequest(ARGV[at + 1], ARGV[at + 2], names)
  at = last + 1
end
if isFinal then return { 'kept', replies } end
redis.call('PUBLISH', ARGV[2], ARGV[3])
keep(${OWN_KEYS})
return { 'kept', replies }
`

/** Counts a request. Keys: those of `RECORD`. Arguments: the request, how it failed, names of counters. */
export const COUNT_ONCE = `${GUARD}
${COUNT_REQUEST}
local reply = countRequest(ARGV[1], ARGV[2], { unpack(ARGV, 3) })
if not isFinal then keep(${OWN_KEYS}) end
return reply
`

/** Keys: head, counts, total. Arguments: names of counters. */
export const ADD = `${GUARD}
${COUNT_SCRIPT}
count(isFinal and 3 or 2, 3, ARGV)
if not isFinal then keep(2) end
`

/** The earlier failure of a request that succeeded: the time and the stored JSON; null if there was none. */
export type CountReply = readonly [now: number, kept: string] | null
