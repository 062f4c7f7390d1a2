import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, test as base } from 'resource-mock/playwright'

export { expect }

/** What every app does: it lists, and saves when the user clicks. `step` says when each of the two has ended. */
const SHARED = `
  const id = 'df3775a4-90ef-4965-b751-d48698f3949f'
  const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
  const call = (path, init) => fetch(API_URL + '/acme/resource' + path, { headers, ...init })
  const find = (name) => document.getElementById(name)
  const step = (number) => { document.body.dataset.step = number }
  const list = () => call('?limit=1')
  const update = (version, someProperty = 'mine') =>
    call('/' + id, { method: 'POST', body: JSON.stringify({ version, actions: [{ action: 'changeSomeProperty', someProperty }] }) })
  const create = () => call('', { method: 'POST', body: JSON.stringify({ objectTypeProperty: {} }) })
  const listed = () => { find('list').textContent = 'Listed'; step(1) }
  const saved = () => { find('result').textContent = 'Saved'; step(2) }
  const onSave = (save) => find('save').addEventListener('click', save)
  const tell = (text) => { find('alert').textContent = text }
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))
`

/** The apps, by what they do about failures. */
const APPS = {
  // Retries, merges, and otherwise goes on with what it has.
  survives: `
    const attempt = async (send, isGood) => {
      for (let left = 3; left > 0; left -= 1) {
        try {
          const response = await send()
          if (isGood(response)) return await response.text()
        } catch {}
        await pause(100)
      }
    }
    const { results } = JSON.parse(await attempt(list, ({ ok }) => ok))
    find('list').title = results.length
    listed()
    onSave(async () => {
      let [version, note] = [3, 'mine']
      await attempt(async () => {
        const response = await update(version, note)
        if (response.status !== 409) return response
        const current = await call('/' + id, { headers: { ...headers, Prefer: 'identity=body' } })
        const theirs = await current.json()
        if (theirs.someProperty === note) return current
        version = theirs.version
        note = theirs.someProperty + '; mine'
        return response
      }, ({ ok }) => ok)
      saved()
    })`,
  // Says so, whatever happens, in a web component.
  tells: `
    const tellInShadow = (text) => {
      const host = find('main').appendChild(document.createElement('div'))
      host.attachShadow({ mode: 'open' }).innerHTML = '<p role="alert">' + text + '</p>'
    }
    const check = async (answer, isGood = () => true) => {
      const response = await answer
      const body = await response.json()
      if (!response.ok || !isGood(body)) throw new Error('It did not work.')
    }
    try {
      await check(list(), ({ results }) => results.length > 0)
      listed()
    } catch { tellInShadow('Cannot list.'); step(1) }
    onSave(async () => {
      try {
        await check(update(3))
        saved()
      } catch { tellInShadow('Not saved.'); step(2) }
    })`,
  // Catches nothing.
  crashes: `
    addEventListener('unhandledrejection', () => step(2))
    const load = async () => {
      const { results } = await (await list()).json()
      find('list').title = results[0].key
      listed()
    }
    void load()
    onSave(async () => {
      const response = await update(3)
      if (!response.ok) throw new Error('Unexpected status ' + response.status)
      saved()
    })`,
  // Is busy until it has succeeded.
  spins: `
    const busy = async (answer, isGood, number) => {
      find('main').setAttribute('aria-busy', 'true')
      try {
        const response = await answer
        if (!response.ok || !isGood(await response.json())) throw new Error('It did not work.')
        find('main').removeAttribute('aria-busy')
        return true
      } catch { step(number) }
    }
    if (await busy(list(), ({ results }) => results.length > 0, 1)) listed()
    onSave(async () => { if (await busy(update(3), () => true, 2)) saved() })`,
  // Retries until it has succeeded.
  storms: `
    const insist = async (send, isGood, number) => {
      for (let sent = 1; ; sent += 1) {
        try {
          const response = await send()
          if (response.ok && isGood(await response.json())) return
        } catch {}
        if (sent === 30) step(number)
        await pause(5)
      }
    }
    insist(list, ({ results }) => results.length > 0, 1).then(listed)
    onSave(() => insist(() => update(3), () => true, 2).then(saved))`,
  // After a conflict, sends its values with the new version.
  overwrites: `
    listed()
    onSave(async () => {
      try {
        let response = await update(3)
        if (response.status === 409) response = await update((await response.json()).errors[0].currentVersion)
        if (!response.ok) throw new Error('It did not work.')
        saved()
      } catch { tell('Not saved.'); step(2) }
    })`,
  // Creates again after a lost connection.
  doubles: `
    listed()
    onSave(async () => {
      try {
        const response = await create().catch(create)
        if (!response.ok) throw new Error('It did not work.')
        saved()
      } catch { tell('Not created.'); step(2) }
    })`,
}

export type AppKind = keyof typeof APPS
// Object.keys() loses the key type.
export const appKinds = Object.keys(APPS) as readonly AppKind[]

const toPage = (kind: AppKind): string => `<!doctype html>
<title>${kind}</title>
<main id="main"><h1>It ${kind}</h1><p id="list"></p><p id="result"></p><button id="save">Save</button></main>
<div id="alert" role="alert"></div>
<script type="module">${SHARED}${APPS[kind]}</script>`

/** A test with the apps at `/survives` and so on. */
export const test = base.extend<object, { readonly appUrl: string }>({
  appUrl: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires the braces
    async ({}, use) => {
      const server = createServer(({ url = '' }, response) => {
        const kind = appKinds.find((one) => one === url.slice(1))
        response.setHeader('Content-Type', 'text/html').end(kind === undefined ? '' : toPage(kind))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ appUrl }, use) => use(appUrl),
  page: async ({ page, mock }, use) => {
    await page.addInitScript((url) => Object.assign(globalThis, { API_URL: url }), mock.url)
    await use(page)
  },
})

/** Lists and saves with an app, and checks both. */
export async function listAndSave(page: Page, kind: string): Promise<void> {
  await page.goto(`/${kind}`)
  await page.locator('body[data-step]').waitFor()
  expect(await page.locator('#list').textContent()).toBe('Listed')
  await page.getByRole('button').click()
  await page.locator('body[data-step="2"]').waitFor()
  expect(await page.locator('#result').textContent()).toBe('Saved')
}
