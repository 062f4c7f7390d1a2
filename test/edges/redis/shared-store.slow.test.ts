import { redisStore } from '../../../src/redis.ts'
import { sharedStoreCases } from '../../service/state/shared-store-cases.ts'
import { newStoreUrl } from './replicas.ts'

sharedStoreCases('Redis', () => redisStore({ url: newStoreUrl(), timeout: 30_000 }))
