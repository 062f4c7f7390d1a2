import './util/supported-node.ts'
export { forwardSession } from './service/http/request-head.ts'
export type { HeadersSource } from './service/http/request-head.ts'
