import { beforeEach, describe, expect, it } from 'vitest'
import { create, createAsk } from './ask.ts'
import type { Asking } from './ask.ts'
import { hurry } from '../../support/hurry.ts'

/** A PNG of one pixel. */
const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
)

let asking: Asking
beforeEach(async () => {
  asking = await createAsk({ clock: '2026-01-31T12:00:00Z' })
})

async function upload(prefix: string, query: string): Promise<void> {
  const reply = await asking.ask('POST', `${prefix}/acme/resource/images?${query}`, {
    body: PNG,
    headers: { 'Content-Type': 'image/png' },
  })
  expect(reply.status).toBe(200)
}

interface Listed {
  readonly images: readonly { readonly id: string; readonly url: string }[]
}

describe('the images', () => {
  it('of all projects of the session are listed and served with their type', async () => {
    const { ask, mock } = asking
    await create(ask, '/@s/eu/gcp', 'shoe')
    await upload('/@s', 'filename=..%2Fa.png&variant=1&staged=true')
    await upload('/@s/eu/gcp', 'filename=b.png&sku=shoe')
    const { images } = (await ask('GET', '/@s/__admin/images')).body as Listed
    expect(images).toMatchObject([
      { baseUrl: 'eu/gcp', projectKey: 'acme', filename: 'b.png', sku: 'shoe', type: 'image/png', width: 1, height: 1 },
      { baseUrl: '', filename: '../a.png', variant: 1, staged: true, bytes: PNG.byteLength },
    ])
    for (const { id, url } of images) {
      expect(url).toBe(`/@s/__admin/images/${id}`)
      const response = await mock.fetch(new Request(`http://localhost${url}`))
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG)
      expect(response.headers.get('Content-Type')).toBe('image/png')
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(response.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox")
      expect(await ask('GET', url.replace('/@s', ''))).toMatchObject({
        status: 404,
        body: { message: `The session "default" has no image "${id}". GET /__admin/images lists its images.` },
      })
    }
    expect((await ask('GET', '/__admin/images')).body).toEqual({ images: [] })
  })

  it('let others run after each one', async () => {
    for (let at = 0; at < 20; at += 1) await upload('', '')
    const yields = hurry()
    await asking.ask('GET', '/__admin/images')
    expect(yields.mock.calls.length).toBeGreaterThanOrEqual(20)
  })
})
