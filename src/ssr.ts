import './util/supported-node.ts'
export { forwardSession } from './service/http/forward-session.ts'
export type { HeadersSource } from './service/http/forward-session.ts'
