import type { TestProject } from 'vitest/node'
import { startEngine } from './engine.ts'
import type { EngineCommand } from './engine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The store server that the mocks of a test project share. */
    readonly engine: EngineCommand
    /** The URL of the shared store server; each mock uses its own key prefix. */
    readonly storeUrl: string
  }
}

/** Starts one store server for all files of a test project. */
export default async function provideEngine(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine(project.getProvidedContext().engine)
  project.provide('storeUrl', engine.url)
  return engine.close
}
