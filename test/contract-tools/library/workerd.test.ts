import { Miniflare } from 'miniflare'
import { expect, it, onTestFinished } from 'vitest'
import { bundle } from '../../edges/library/bundle.ts'
import { outcome } from '../../edges/library/try-out.ts'

it('the library works in workerd', async () => {
  const worker = `import { tryOut } from './entry.js'
export default { fetch: async () => Response.json(await tryOut()) }`
  const { files } = await bundle('try-out.ts')
  const modules = [{ name: 'worker.js', text: worker }, ...files].map(({ name, text }) => ({
    type: 'ESModule' as const,
    path: name,
    contents: text,
  }))
  const workerd = new Miniflare({ modules, compatibilityDate: '2025-01-01' })
  onTestFinished(() => workerd.dispose())
  const response = await workerd.dispatchFetch('http://worker/')
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(outcome)))
})
