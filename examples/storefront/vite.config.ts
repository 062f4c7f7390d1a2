import { resourceMock } from 'resource-mock/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the built page may be served under any path.
  base: './',
  build: { target: 'es2022', modulePreload: false },
  // While the shop is worked on, the dev server has the mock under /api; the built one is served by server.mjs.
  plugins: [resourceMock({ auth: 'strict' })],
})
