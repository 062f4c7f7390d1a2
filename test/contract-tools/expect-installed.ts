import { existsSync } from 'node:fs'

/** Aborts the run if the tools are not installed. */
export function setup(): void {
  const folders = ['.', 'recipes', '../../site']
  const isInstalled = (folder: string) =>
    existsSync(new URL(`${folder}/node_modules/.package-lock.json`, import.meta.url))
  if (folders.every(isInstalled)) return
  throw new Error(
    'The tests of test/contract-tools need tools that npm ci does not install. Run "npm run install:tools" first, ' +
      'or "npm test", which does without them.',
  )
}
