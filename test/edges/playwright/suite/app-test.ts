import { test as base } from 'resource-mock/playwright'
import { serveApp } from './app.ts'
import type { App } from './app.ts'

export { expect } from 'resource-mock/playwright'

/** The mock's `test`, with the suite's app as base URL. */
export const test = base.extend<object, { readonly app: App }>({
  app: [
    async ({ mockServer }, use) => {
      const app = await serveApp(mockServer.url)
      await use(app)
      await app.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ app }, use) => use(app.url),
})
