import './util/supported-node.ts'
export { handlers } from './edges/msw/handlers.ts'
export type { Answering } from './edges/msw/handlers.ts'
export type { MockOptions } from './app/options/options.ts'
