import './util/supported-node.ts'
export { resourceMock } from './vite/plugin.ts'
export type { ViteMockOptions } from './vite/plugin.ts'
