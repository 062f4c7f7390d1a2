export { forwardSession } from './http/forward-session.ts'
export type { HeadersSource } from './http/forward-session.ts'
