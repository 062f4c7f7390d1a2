import * as z from 'zod'
import { ADMIN_PATH } from '../http/address.ts'
import type { Mock } from '../mock.ts'

interface FollowParts {
  readonly mock: Pick<Mock, 'fetch'>
  /** Whether there is an admin API. */
  readonly admin?: boolean | undefined
  /** What the admin API asks for. */
  readonly token?: string | undefined
  readonly onChange: (active: readonly string[]) => void
  readonly onFault: (fault: unknown) => void
}

const activity = z.object({ active: z.array(z.string()) })

/** The data of a stream's events of one kind, as they come (HTML standard, section 9.2.6). */
async function* readEvents(stream: ReadableStream<BufferSource>, kind: string): AsyncGenerator<string> {
  const start = `event: ${kind}\ndata: `
  let text = ''
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) if (block.startsWith(start)) yield block.slice(start.length)
  }
}

/**
 * Follows what is active in the default session, which pages are in unless they name another. It is told as the
 * dashboard is, by the admin API, and ends with the mock's streams.
 *
 * @returns what tells the names that are active
 */
export async function followScenarios(parts: FollowParts): Promise<() => readonly string[]> {
  const { mock, admin, token, onChange, onFault } = parts
  if (admin === false) return () => []
  const headers = new Headers(token === undefined ? {} : { Authorization: `Bearer ${token}` })
  const ask = (path: string) => mock.fetch(new Request(`http://mock${ADMIN_PATH}${path}`, { headers }))
  const { body } = await ask('/events?session=default')
  let { active } = activity.parse(await (await ask('/scenarios/active')).json())

  async function follow(stream: ReadableStream<BufferSource>): Promise<void> {
    for await (const data of readEvents(stream, 'scenario')) {
      active = activity.parse(JSON.parse(data)).active
      onChange(active)
    }
  }

  if (body !== null) follow(body).catch(onFault)
  return () => active
}
