import './util/supported-node.ts'
export { forwardSession } from './http/address.ts'
export type { HeadersSource } from './http/address.ts'
