import type { TestProject } from 'vitest/node'
import { startEngine } from './engine.ts'
import type { EngineCommand } from './engine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** What the mocks of a project share their state in. */
    readonly engine: EngineCommand
    /** Where the engine is that tests share; each mock has a prefix of its own. */
    readonly storeUrl: string
  }
}

/** Starts one engine for all files of a project. */
export default async function provideEngine(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine(project.getProvidedContext().engine)
  project.provide('storeUrl', engine.url)
  return engine.close
}
