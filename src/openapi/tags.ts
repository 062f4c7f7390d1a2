import type { Purpose } from '../contract/endpoint.ts'

/** What the operations are about. */
export const tags = {
  Queries: 'Find resources',
  Resources: 'Read, write and delete one resource',
  Images: 'Images of product variants',
  Actions: 'What a frontend fetches and writes apart from resources',
} as const

type Tag = keyof typeof tags

/** The tag of the operations that serve a purpose. */
export const tagOf: Readonly<Record<Purpose, Tag>> = {
  query: 'Queries',
  check: 'Queries',
  read: 'Resources',
  draft: 'Resources',
  update: 'Resources',
  delete: 'Resources',
  complex: 'Resources',
  upload: 'Images',
  writePayload: 'Actions',
  readPayload: 'Actions',
  cart: 'Actions',
  localisedCart: 'Actions',
}
