import './util/supported-node.ts'
export { forwardSession } from './http/request-head.ts'
export type { HeadersSource } from './http/request-head.ts'
