import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, createServer } from 'vite'
import type { InlineConfig, Logger, ViteDevServer } from 'vite'
import { onTestFinished } from 'vitest'
import { resourceMock } from '../../../src/vite.ts'
import type { ViteMockOptions } from '../../../src/vite.ts'

export const AUTHORIZED = { Authorization: 'Bearer any' }
export const JSON_HEADERS = { ...AUTHORIZED, 'Content-Type': 'application/json' }

/** A folder that is removed with the test. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'resource-mock-vite-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The terminal output of a server. */
export function createQuietLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  return { ...createLogger(), lines, info: note, warn: note, error: note }
}

export interface DevServer {
  readonly vite: ViteDevServer
  /** For example `http://localhost:40123`. */
  readonly url: string
  readonly lines: readonly string[]
}

/** Starts a dev server with the plugin on a free port; it ends with the test. */
export async function startDevServer(options: ViteMockOptions = {}, config: InlineConfig = {}): Promise<DevServer> {
  const logger = createQuietLogger()
  const vite = await createServer({
    root: await createFolder(),
    configFile: false,
    customLogger: logger,
    plugins: [resourceMock(options)],
    ...config,
    server: { host: '127.0.0.1', port: 0, ...config.server },
  })
  onTestFinished(() => vite.close())
  await vite.listen()
  const [local = ''] = vite.resolvedUrls?.local ?? []
  return { vite, url: local.replace(/\/$/, ''), lines: logger.lines }
}
