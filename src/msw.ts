export { handlers } from './msw/handlers.ts'
export type { MockLike } from './msw/handlers.ts'
export type { MockOptions } from './options/options.ts'
