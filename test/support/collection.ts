import { createClient, draft, idOf } from './client.ts'
import type { Client, ClientOptions } from './client.ts'

/** The collection path for tests of writes. */
export const base = '/acme/resource'

/** A fresh mock with helpers for tests of writes. */
export interface Collection {
  readonly client: Client
  /** Creates a resource with this key and returns its path. */
  readonly create: (key: string, arrays?: object) => Promise<string>
  readonly versionOf: (key: string) => Promise<number>
}

/** Creates a fresh mock for tests of writes, without resources unless the options contain some. */
export async function createCollection(options: ClientOptions = {}): Promise<Collection> {
  const client = await createClient(options)
  return {
    client,
    create: async (key, arrays = {}) => `${base}/${idOf(await client.post(base, draft(arrays, key)))}`,
    versionOf: async (key) => ((await client.get(`${base}/key=${key}`)).body as { readonly version: number }).version,
  }
}
