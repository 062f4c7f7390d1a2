import './util/supported-node.ts'
export { resourceMock } from './edges/vite/plugin.ts'
export type { ViteMockOptions } from './edges/vite/plugin.ts'
