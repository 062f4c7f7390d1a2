import { expect, it } from 'vitest'
import { findTypeFaults } from './find-type-faults.ts'

/** The module that Nuxt generates for each project. */
const GENERATED = `
declare module '#imports' {
  export function useFetch(path: string, options: { baseURL: string; headers: Record<string, string | undefined> }): unknown
  export function useRequestHeaders(names: readonly string[]): Record<string, string | undefined>
  export function useRuntimeConfig(): { readonly public: { readonly apiUrl: string } }
}
`

it('the code in docs/ssr.md passes type checks with the types of the frameworks', async () => {
  expect(await findTypeFaults('docs/ssr.md', [], { 'generated.d.ts': GENERATED })).toBe('')
})
