import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { run, runHere } from './command.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const builtIn = (await readdir(new URL('../../../scenarios/', import.meta.url))).map((file) => file.split('.')[0] ?? '')

const mine = (description: string) => JSON.stringify({ description, rules: [{ effect: { fault: 'TIMEOUT' } }] })

/** The names in the first column below a title. */
function readGroups(text: string): Record<string, string[]> {
  const groups: Record<string, string[]> = {}
  let title = ''
  for (const line of text.split('\n')) {
    if (/^\S.*:$/.test(line)) title = line
    const [, name] = /^ {2}(\S+) /.exec(line) ?? []
    if (name !== undefined) (groups[title] ??= []).push(name)
  }
  return groups
}

describe('resource-mock scenarios', () => {
  it('lists every built-in scenario with its description, in lines of at most 80 characters', async () => {
    const { status, stdout, stderr } = await run(['scenarios'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(readGroups(stdout)).toEqual({ 'Built in:': builtIn.toSorted() })
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
    const starts = stdout.split('\n').flatMap((line) => /^ {2}(?:\S+| ) +(?=\S)/.exec(line)?.[0].length ?? [])
    expect(new Set(starts).size).toBe(1)
  })

  it('lists your own and the built-in scenarios separately, without those that yours replace', async () => {
    const folder = await createTemporaryFolder({
      'conflict.json': mine('My own conflict'),
      'zebra.yaml': mine(`Long ${'words '.repeat(40)}`),
    })
    const { stdout } = await runHere(['scenarios', '--scenarios', folder])
    const own = `Your scenarios, from ${folder}:`
    expect(readGroups(stdout)).toEqual({
      [own]: ['conflict', 'zebra'],
      'Built in:': builtIn.toSorted().filter((name) => name !== 'conflict'),
    })
    expect(stdout).toMatch(/ {2}conflict +My own conflict\n/)
  })

  it('prints JSON with --json', async () => {
    const folder = await createTemporaryFolder({ 'mine.json': mine('Mine') })
    const { stdout } = await runHere(['scenarios', '--json', '--scenarios', folder])
    const listed = JSON.parse(stdout) as { name: string; source: string }[]
    expect(listed.map(({ name }) => name)).toEqual([...builtIn, 'mine'].toSorted())
    expect(listed.find(({ name }) => name === 'mine')).toEqual({ name: 'mine', description: 'Mine', source: 'file' })
    expect(listed.find(({ name }) => name === 'slow')).toMatchObject({ source: 'built-in' })
  })

  it.each([
    ['a missing folder', ['--scenarios', 'nope'], 'which is not a readable folder.'],
    ['an invalid file', ['--scenarios', '.'], 'Scenario mine.json:1:1 rules: required, but missing.'],
    ['an unknown option', ['--sceanrios', 'x'], 'Did you mean "--scenarios"?'],
  ])('exits with 2 for %s', async (_what, args, sentence) => {
    const cwd = await createTemporaryFolder({ 'mine.json': '{ "description": 5 }' })
    const { status, stdout, stderr } = await runHere(['scenarios', ...args], { cwd })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).toMatch(/^(?:[^\n]+\n){1,2}$/)
  })
})
