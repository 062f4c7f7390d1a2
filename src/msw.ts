import './util/supported-node.ts'
export { handlers } from './msw/handlers.ts'
export type { Answering } from './msw/handlers.ts'
export type { MockOptions } from './options/options.ts'
