import './util/supported-node.ts'
export { forwardSession } from './http/forward-session.ts'
export type { HeadersSource } from './http/forward-session.ts'
