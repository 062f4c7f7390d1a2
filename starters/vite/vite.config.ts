import { resourceMock } from 'resource-mock/vite'
import { defineConfig } from 'vite'

// The dev server serves the mock below /api, and its dashboard at /api/__admin.
export default defineConfig({
  plugins: [resourceMock({ prefix: '/api' })],
})
