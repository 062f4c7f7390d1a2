export { createMock } from './mock.ts'
export type { Mock } from './mock.ts'
export type { AuthMode, Delay, Identity, MockOptions, Persistence, RequestLog } from './options.ts'
export { SetupError } from './errors.ts'
