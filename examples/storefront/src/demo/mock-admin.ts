import { BASE } from '../api/base.ts'

// All that the shop knows of the mock behind it is in this folder. With the real service it goes, and nothing else does.

/** A scenario, as the admin API tells of it. */
export interface Scenario {
  readonly name: string
  readonly description: string
  readonly rules: readonly { readonly match?: { readonly operation?: string | readonly string[] } }[]
}

interface Image {
  readonly id: string
  readonly resourceId: string
}

async function askAdmin<Told>(path: string, init: RequestInit = {}): Promise<Told> {
  const response = await fetch(`${BASE}/__admin${path}`, init)
  if (!response.ok) throw new Error(`The mock's admin API answered ${response.status} to ${path}.`)
  // What it tells is documented in docs/admin.md.
  return response.json() as Promise<Told>
}

const putJson = (value: unknown): RequestInit => ({
  method: 'PUT',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})

/** The scenarios that there are, and those that act in this visitor's session. */
export const listScenarios = () =>
  askAdmin<{ readonly active: readonly string[]; readonly scenarios: readonly Scenario[] }>('/scenarios')

export const activateScenarios = (active: readonly string[]) => askAdmin('/scenarios/active', putJson({ active }))

/** Everything of this visitor's session goes back to the start. */
export const resetSession = () => askAdmin('/reset', { method: 'POST' })

/** The photo last uploaded to each product, by its id; the service itself has no way to read one. */
export async function listPhotos(): Promise<ReadonlyMap<string, string>> {
  // A shop without photos is a shop still.
  const { images } = await askAdmin<{ readonly images: readonly Image[] }>('/images').catch(() => ({ images: [] }))
  return new Map(images.map(({ id, resourceId }) => [resourceId, `${BASE}/__admin/images/${id}`]))
}
