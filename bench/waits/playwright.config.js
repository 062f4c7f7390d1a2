import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from '../chromium.js'

const { MOCK_URL } = process.env

export default defineConfig({
  workers: 1,
  use: {
    baseURL: MOCK_URL,
    mockUrl: MOCK_URL,
    extraHTTPHeaders: { Authorization: 'Bearer any' },
    launchOptions: chromiumLaunchOptions,
  },
})
