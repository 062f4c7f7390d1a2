import type { TestProject } from 'vitest/node'
import { startRedis } from './redis-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the Redis is that tests share; each mock has a prefix of its own. */
    readonly redisUrl: string
  }
}

/** Starts one Redis for all files of a project. */
export default async function provideRedis(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startRedis()
  project.provide('redisUrl', redis.url)
  return redis.close
}
