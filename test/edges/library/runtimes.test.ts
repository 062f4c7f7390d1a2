import { beforeAll, describe, expect, it } from 'vitest'
import { bundle, sizeAtOnce } from './bundle.ts'
import type { Bundle } from './bundle.ts'
import { outcome, tryOut } from './try-out.ts'

/** In KiB, minified and compressed: a deliberate change may raise it. */
const MOST = 165

let bundled: Bundle

beforeAll(async () => {
  bundled = await bundle('try-out.ts')
})

describe('the library', () => {
  it('works in Node', async () => {
    expect(await tryOut()).toEqual(outcome)
  })

  it('is bundled for the browser without Node code', () => {
    expect(bundled.external).toEqual([])
    expect(bundled.files.map(({ text }) => text).join('\n')).not.toMatch(/(?:from|import|require)\s*\(?"node:/)
  })

  it(`adds at most ${MOST} KiB to what a page loads at once`, () => {
    expect(Math.ceil(sizeAtOnce(bundled) / 1024)).toBeLessThanOrEqual(MOST)
  })
})
