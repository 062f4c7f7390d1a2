import { configure } from './config.ts'

export default configure('mixed', {
  projects: [
    { name: 'setup', testMatch: '*.setup.ts' },
    { name: 'app', testMatch: 'contexts.spec.ts', dependencies: ['setup'] },
  ],
})
