import { resourceMock } from 'resource-mock/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that you can serve the built page under any path.
  base: './',
  build: { target: 'es2022', modulePreload: false },
  // During development, the dev server has the mock under /api; server.mjs serves the built shop.
  plugins: [resourceMock({ auth: 'strict' })],
})
