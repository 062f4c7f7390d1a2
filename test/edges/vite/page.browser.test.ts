import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeInChromium } from '../../support/chromium.ts'
import { createFolder, startDevServer } from './dev-server.ts'
import { openPage } from './open-page.ts'

const HTML = `<!doctype html>
<body><script type="module">
  const { status } = await fetch('/api/acme/resource', { headers: { Authorization: 'Bearer any' } })
  document.body.textContent = 'answered ' + status
</script></body>`

describeInChromium('a page of the dev server', () => {
  it('reloads when the scenario is switched by the admin API', async () => {
    const root = await createFolder()
    await writeFile(join(root, 'index.html'), HTML)
    const { url } = await startDevServer({}, { root })
    const { page, untilConnected, untilShown } = await openPage(url)
    await untilShown('answered 200')
    await untilConnected(1)

    const body = JSON.stringify({ active: ['unavailable'] })
    await fetch(`${url}/api/__admin/scenarios/active`, { method: 'PUT', body })
    await untilShown('answered 503')
    await untilConnected(2)

    await page.evaluate(() => void fetch('/api/__admin/reset', { method: 'POST' }))
    await untilShown('answered 200')
    expect(await page.textContent('body')).toContain('answered 200')
  })
})
