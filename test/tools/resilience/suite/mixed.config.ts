import { configure } from './config.ts'

export default configure('mixed', { retries: 1 })
