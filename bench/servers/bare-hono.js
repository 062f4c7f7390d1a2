import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { createBareApp } from './bare-app.js'

const [port, file] = process.argv.slice(2)
const app = createBareApp(JSON.parse(readFileSync(file, 'utf8')))

serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' })
