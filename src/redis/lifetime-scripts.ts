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
