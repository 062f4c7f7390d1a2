import { MASTER } from './bends.ts'
import type { Bend, Json } from './bends.ts'
import type { Fetch } from './fetch-transport.ts'

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

interface Ids {
  readonly counted: Map<string, string>
  readonly uuids: Map<string, string>
}

/** A service whose ids are 1, 2, 3 … in each project, those of the resources that it starts with included. */
export const countedIds: Bend = (fetch) => {
  const projects = new Map<string, Promise<Ids>>()

  const count = (uuid: string, { counted, uuids }: Ids): string => {
    const id = counted.get(uuid) ?? String(counted.size + 1)
    counted.set(uuid, id)
    uuids.set(id, uuid)
    return id
  }

  async function startWith(project: string, send: Fetch): Promise<Ids> {
    const ids: Ids = { counted: new Map(), uuids: new Map() }
    const page = await send(new Request(`http://mock/${project}/resource?limit=500`, { headers: MASTER }))
    // A list of the mock.
    for (const { id } of ((await page.json()) as Json).results ?? []) count(String(id), ids)
    return ids
  }

  return async (request) => {
    const [, project = ''] = new URL(request.url).pathname.split('/')
    if (project === 'oauth') return fetch(request)
    const known = projects.get(project) ?? startWith(project, fetch)
    projects.set(project, known)
    const ids = await known
    const url = request.url
      .replace(/(?<=\/resource\/)(?:%3)?\d+(?=$|\?)/, (id) => ids.uuids.get(decodeURIComponent(id)) ?? id)
      .replace(/(?<=%22)\d+(?=%22)/g, (id) => ids.uuids.get(id) ?? id)
    const response = await fetch(new Request(url, request))
    const headers = new Headers(response.headers)
    for (const name of ['Location', 'Content-Location']) {
      const place = headers.get(name)
      if (place !== null)
        headers.set(
          name,
          place.replace(UUID, (uuid) => count(uuid, ids)),
        )
    }
    const text = (await response.text()).replace(/(?<="id":")[^"]+/g, (uuid) => count(uuid, ids))
    return new Response(text === '' ? null : text, { status: response.status, headers })
  }
}
