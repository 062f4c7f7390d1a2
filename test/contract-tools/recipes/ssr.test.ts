import { expect, it } from 'vitest'
import { findTypeFaults } from './find-type-faults.ts'

/**
 * What the code imports from the module that Nuxt generates for each project, and from Next.js, whose package is larger than
 * all other tools together.
 */
const DECLARED = `
declare module 'next' {
  export type GetServerSideProps = (context: {
    readonly req: import('node:http').IncomingMessage
  }) => Promise<{ readonly props: Record<string, unknown> }>
}
declare module 'next/headers' {
  export function headers(): Promise<Headers>
}
declare module '#imports' {
  export function useFetch(path: string, options: { baseURL: string; headers: Record<string, string | undefined> }): unknown
  export function useRequestHeaders(names: readonly string[]): Record<string, string | undefined>
  export function useRuntimeConfig(): { readonly public: { readonly apiUrl: string } }
}
`

it('the code in docs/ssr.md passes type checks with the types of the frameworks', async () => {
  expect(await findTypeFaults('docs/ssr.md', [], { 'declared.d.ts': DECLARED })).toBe('')
})
