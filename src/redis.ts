import './util/supported-node.ts'
export { redisStore } from './edges/redis/redis-store.ts'
export type { RedisSharedStore as SharedStore, RedisStoreOptions } from './edges/redis/redis-store.ts'
