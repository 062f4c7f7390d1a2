import { MOST_FAILED, MOST_SCENARIOS, SCENARIO } from '../journal/counts.ts'

/** How long the keys of a session stay that has ended, in seconds: a mock that was frozen meanwhile learns of the end. */
export const LIFETIME = 604_800

/**
 * Begins a script that writes to a session: a request may still be under way when another mock ends its session. To one that
 * ended for good nothing is written. What is written to another one expires, unless a write begins it again.
 *
 * Key: head. `keep` refreshes the expiry of the first keys, so many.
 */
export const GUARD = `
local ended = redis.call('HGET', KEYS[1], 'ended')
local isFinal = ended == 'final'
local function keep(keys)
  if not ended then return end
  for key = 1, keys do redis.call('EXPIRE', KEYS[key], ${LIFETIME}) end
end
`

/**
 * Begins a session unless there are too many. Then the one that has been idle longest is to go, if it was idle for long
 * enough: it counts as used now, so that no other mock ends it, too.
 *
 * Key: sessions. Arguments: the name, the time, how many there may be, how long one must be idle, the session that stays.
 */
export const BEGIN = `
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

export type BeginReply = readonly ['begun'] | readonly ['full'] | readonly ['idle', name: string, usedAt: string]

/**
 * Counts in hashes. A new scenario is not counted where there are many: all other counts are fewer than those of scenarios may
 * be.
 *
 * @param key the first hash among the keys, as Lua
 * @param argument the first name of a count among the arguments
 */
const countFrom = (key: number | string, argument: number): string => `
for key = ${key}, #KEYS do
  for at = ${argument}, #ARGV do
    local isOpen = string.sub(ARGV[at], 1, ${SCENARIO.length}) ~= '${SCENARIO}' or redis.call('HLEN', KEYS[key]) < ${2 * MOST_SCENARIOS}
    if isOpen or redis.call('HEXISTS', KEYS[key], ARGV[at]) == 1 then redis.call('HINCRBY', KEYS[key], ARGV[at], 1) end
  end
end
`

/**
 * Remembers that a request failed, or returns how it had failed before it succeeded, with the time. The times are those of
 * the engine's clock, which all mocks have in common.
 *
 * @param key of failed
 * @param argument the name of the request, '' for one that neither failed nor succeeded; how it failed, '' for a success
 */
const recoverFrom = (key: number, argument: number): string => `
local function recover()
local request, failure = ARGV[${argument}] or '', ARGV[${argument + 1}]
if request == '' then return false end
local known = redis.call('HGET', KEYS[${key}], request)
if not known and failure == '' then return false end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if failure == '' then
  redis.call('HDEL', KEYS[${key}], request)
  return { now, known }
end
local kind, authorization, pause = string.match(failure, '(%S+) (%S*) (%S+)')
local kept = known and cjson.decode(known) or { order = time[1] * 1000000 + time[2], failures = {} }
kept.failures[kind] = { authorization = authorization, readyAt = now + pause }
redis.call('HSET', KEYS[${key}], request, cjson.encode(kept))
if redis.call('HLEN', KEYS[${key}]) > ${MOST_FAILED} then
  local all, oldest, least = redis.call('HGETALL', KEYS[${key}]), nil, math.huge
  for at = 1, #all, 2 do
    local order = cjson.decode(all[at + 1]).order
    if order < least then oldest, least = all[at], order end
  end
  redis.call('HDEL', KEYS[${key}], oldest)
end
return false
end
`

/** The keys of a session that a request may have written to. */
const OWN_KEYS = 7

/** Counts a request, in the total alone if its session has ended for good. */
const countOnce = (argument: number): string => `
${countFrom(`isFinal and ${OWN_KEYS + 1} or ${OWN_KEYS}`, argument + 2)}
if isFinal then return false end
${recoverFrom(6, argument)}
local reply = recover()
keep(${OWN_KEYS})
return reply
`

/**
 * Keys: head, journal, counters, buckets, starts, failed, counts, and the total where it is in the same place. Arguments: how
 * many entries are kept, the entry, channel, session; where the request is counted, those of `COUNT`.
 */
export const RECORD = `${GUARD}
if not isFinal then
  redis.call('XADD', KEYS[2], 'MAXLEN', '=', ARGV[1], '*', 'entry', ARGV[2])
  redis.call('HINCRBY', KEYS[1], 'requests', 1)
  redis.call('PUBLISH', ARGV[3], ARGV[4])
end
${countOnce(5)}
`

/** Keys: those of `RECORD`. Arguments: the request, how it failed, names of counts. */
export const COUNT = `${GUARD}
${countOnce(1)}
`

/** Keys: head, counts. Arguments: names of counts. */
export const ADD = `${GUARD}
if isFinal then return false end
${countFrom(2, 1)}
keep(2)
`

/** Key: the total. Arguments: names of counts. */
export const ADD_TOTAL = countFrom(1, 1)

/** How a request that succeeded had failed before: the time, and what is kept as JSON; null if it had not. */
export type CountReply = readonly [now: number, kept: string] | null
