import { GUARD } from './lifetime-scripts.ts'

/** The clock of Redis in milliseconds, with what the first argument says that the session is ahead of it. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000 + tonumber(ARGV[1])
`

/** Counts a request that meets a rule. Keys: head, counters. Argument: the rule. */
export const HIT = `${GUARD}
if isFinal then return 1 end
local count = redis.call('HINCRBY', KEYS[2], ARGV[1], 1)
keep(2)
return count
`

/** How long a scenario has been switched on, in milliseconds. Keys: head, starts. Arguments: what has passed, the scenario. */
export const ELAPSED = `${GUARD}
${NOW}
local start = redis.call('HGET', KEYS[2], ARGV[2])
if not start and not isFinal then
  start = redis.call('HGET', KEYS[2], '') or string.format('%.17g', now)
  redis.call('HSET', KEYS[2], ARGV[2], start)
  keep(2)
end
return math.floor(math.max(0, now - tonumber(start or now)))
`

/** Notes that a scenario is switched on. Keys: head, starts. Arguments: what has passed, the scenario; '' is for all that are not in the hash. */
export const START = `${GUARD}
if isFinal then return 0 end
${NOW}
redis.call('HSET', KEYS[2], ARGV[2], string.format('%.17g', now))
keep(2)
return 1
`

/** A token bucket. Keys: head, buckets. Arguments: what has passed, the rule, its size, tokens per millisecond. */
export const TAKE = `${GUARD}
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
