import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { toOpenApiText } from '../../../src/edges/cli/commands/print.ts'

const TOOLS = fileURLToPath(new URL('../', import.meta.url))

/** Disables prompts, update notices and telemetry. */
const ENVIRONMENT = {
  ...process.env,
  CI: 'true',
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/** The path of a tool's executable. */
export const binaryOf = (name: string): string => join(TOOLS, 'node_modules/.bin', name)

/** Creates a folder with files, which is removed when the test ends. */
export async function createFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'resource-mock-openapi-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** Also writes the document, in JSON and YAML, and as OpenAPI 3.0. */
export const createDocumentFolder = async (files: Readonly<Record<string, string>> = {}): Promise<string> =>
  createFolder({
    'openapi.json': await toOpenApiText(false),
    'openapi.yaml': await toOpenApiText(true),
    'openapi-3.0.json': await toOpenApiText(false, '3.0'),
    'openapi-3.0.yaml': await toOpenApiText(true, '3.0'),
    ...files,
  })

interface Ended {
  /** 0 on success. */
  readonly status: number
  /** All its output. */
  readonly output: string
}

/** Runs a tool to completion. */
export async function runTool(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, env: ENVIRONMENT, timeout: 300_000 })
    return { status: 0, output: stdout + stderr }
  } catch (fault) {
    if (!(fault instanceof Error && 'stdout' in fault && 'stderr' in fault)) throw fault
    return { status: 1, output: `${String(fault.stdout)}${String(fault.stderr)}` }
  }
}
