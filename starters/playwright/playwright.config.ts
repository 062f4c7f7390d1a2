import { defineConfig } from '@playwright/test'
import type { MockTestOptions, MockWorkerOptions } from 'resource-mock/playwright'

export default defineConfig<MockTestOptions, MockWorkerOptions>({
  testDir: 'tests',
  fullyParallel: true,
  // To test your app, start it and the mock here. The app calls its API at http://localhost:4010.
  // use: { baseURL: 'http://localhost:5173', mockUrl: 'http://localhost:4010', sessionBy: 'header' },
  // webServer: [
  //   { command: 'npx resource-mock --port 4010', url: 'http://localhost:4010/__admin/health' },
  //   { command: 'npm run dev', url: 'http://localhost:5173' },
  // ],
})
