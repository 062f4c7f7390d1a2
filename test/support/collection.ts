import { createClient, draft, idOf } from './client.ts'
import type { Client, ClientOptions } from './client.ts'

/** The path of the collection that the tests of writes use. */
export const base = '/acme/resource'

/** A fresh mock, and what the tests of writes do with it. */
export interface Collection {
  readonly client: Client
  /** Creates a resource of that key, and gives its path. */
  readonly create: (key: string, arrays?: object) => Promise<string>
  readonly versionOf: (key: string) => Promise<number>
}

/** Creates a fresh mock for a test of writes; it has no resources, unless the options name some. */
export async function createCollection(options: ClientOptions = {}): Promise<Collection> {
  const client = await createClient(options)
  return {
    client,
    create: async (key, arrays = {}) => `${base}/${idOf(await client.post(base, draft(arrays, key)))}`,
    versionOf: async (key) => ((await client.get(`${base}/key=${key}`)).body as { readonly version: number }).version,
  }
}
