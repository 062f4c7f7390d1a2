import { BASE } from '../api/base.ts'

// Everything that the shop knows about the mock is in this folder. For the real service, delete only this folder.

/** A scenario, as the admin API returns it. */
export interface Scenario {
  readonly name: string
  /** What visitors notice, in a few words. */
  readonly title?: string
  readonly description: string
  readonly rules: readonly { readonly match?: { readonly operation?: string | readonly string[] } }[]
}

interface Image {
  readonly id: string
  readonly resourceId: string
}

async function askAdmin<Told>(path: string, init: RequestInit = {}): Promise<Told> {
  const response = await fetch(`${BASE}/__admin${path}`, init)
  if (!response.ok) throw new Error(`The mock's admin API responded with ${response.status} to ${path}.`)
  // docs/admin.md documents the response.
  return response.json() as Promise<Told>
}

const putJson = (value: unknown): RequestInit => ({
  method: 'PUT',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})

/** All scenarios, and those that are active in this visitor's session. */
export const listScenarios = () =>
  askAdmin<{ readonly active: readonly string[]; readonly scenarios: readonly Scenario[] }>('/scenarios')

export const activateScenarios = (active: readonly string[]) => askAdmin('/scenarios/active', putJson({ active }))

/** Resets everything in this visitor's session. */
export const resetSession = () => askAdmin('/reset', { method: 'POST' })

/** The last uploaded photo of each product, by its id; the service itself has no endpoint to read one. */
export async function listPhotos(): Promise<ReadonlyMap<string, string>> {
  // The shop also works without photos.
  const { images } = await askAdmin<{ readonly images: readonly Image[] }>('/images').catch(() => ({ images: [] }))
  return new Map(images.map(({ id, resourceId }) => [resourceId, `${BASE}/__admin/images/${id}`]))
}
