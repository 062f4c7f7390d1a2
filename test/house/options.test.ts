import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { commands, createProgram } from '../../src/edges/cli/program.ts'
import { readText } from './sources.ts'

const program = createProgram(commands, { folder: '.', env: {}, version: '' })

const flagsOf = (command: Command): readonly string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  ...command.commands.flatMap(flagsOf),
]
const known = new Set([...flagsOf(program), '--help'])

// The other pages are about other programs: docs/benchmarks.md, and most of CONTRIBUTING.md.
const pages = [
  'README.md',
  ...readdirSync(join(import.meta.dirname, '../../docs')).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md') && path !== 'docs/benchmarks.md')

/** The options of resource-mock in a page: in its commands, and in code within sentences. */
const findFlags = (text: string): readonly string[] => {
  const commands = text.replaceAll(/\\\n/g, '').match(/^(?:npx )?resource-mock .*$/gm) ?? []
  const inline = text.match(/`-[^`\n]*`/g) ?? []
  return [...commands, ...inline].flatMap((code) => code.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [])
}

describe('options in the documentation', () => {
  it.each(pages)('of %s exist', (page) => {
    expect(findFlags(readText(page)).filter((flag) => !known.has(flag))).toEqual([])
  })

  it('are found in commands and in sentences', () => {
    expect(findFlags('Use `--port 0`, or:\n\nnpx resource-mock verify --only x')).toEqual(['--only', '--port'])
  })
})
