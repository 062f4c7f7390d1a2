import { appKinds } from './app.ts'
import { configure } from './config.ts'

export default configure('apps', { projects: appKinds.map((name) => ({ name })) })
