import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SetupError } from '../../../src/errors.ts'
import { createCatalog } from '../../../src/service/scenarios/engine.ts'
import { loadAllScenarios, loadScenarios, toDefaults } from '../../../src/service/scenarios/load.ts'
import { createMock } from '../../../src/mock.ts'

const scenario = (effect: object, description = 'For a test') => JSON.stringify({ description, rules: [{ effect }] })
const plain = scenario({ expireToken: true })
const withFile = (bodyFile: string) => scenario({ answer: { status: 200, bodyFile } })

const load = (texts: Readonly<Record<string, string>>) => loadScenarios(texts)
const namesOf = async (texts: Readonly<Record<string, string>>) => (await load(texts)).map(({ name }) => name)

describe('a folder of scenarios', () => {
  it('has a scenario for each JSON and YAML file, with the same name', async () => {
    const yaml = 'description: d\nrules: [{ effect: { expireToken: true } }]'
    expect(await namesOf({ 'a.json': plain, 'b.yaml': yaml, 'c.YML': yaml, 'README.md': '# no scenario' })).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  it('may have response body files next to them, of any type', async () => {
    const texts = {
      'a.json': withFile('body.json'),
      'b.json': withFile('page.html'),
      'body.json': '[1',
      'page.html': '<p>',
    }
    const loaded = await load(texts)
    expect(loaded.map(({ name, bodyFiles }) => [name, ...bodyFiles])).toEqual([
      ['a', ['body.json', '[1']],
      ['b', ['page.html', '<p>']],
    ])
  })

  it.each<readonly [string, Readonly<Record<string, string>>, string]>([
    [
      'a missing body file',
      { 'a.json': withFile('none.json') },
      `Scenario a.json: the bodyFile "none.json" is missing from the scenario file's folder. Put it there.`,
    ],
    [
      'a body file named like an inherited property',
      { 'a.json': withFile('constructor') },
      'the bodyFile "constructor" is missing from',
    ],
    [
      'a body file outside the folder',
      { 'a.json': withFile('../secret') },
      'Scenario a.json:1:83 rules[0].effect.answer.bodyFile:',
    ],
    [
      'two files with the same name',
      { 'a.json': plain, 'a.yaml': plain },
      'Scenario a.yaml: another file already has the scenario name "a". Keep only one of them.',
    ],
    ['a name that a header cannot have', { 'a b.json': plain }, 'Scenario a b.json: invalid scenario name "a b".'],
    [
      'the reserved name "none"',
      { 'none.json': plain },
      'Scenario none.json: "none" is reserved: it means no scenario. Rename the file.',
    ],
    ['a file that is not a scenario', { 'a.json': '{}' }, 'Scenario a.json:1:1 description: required, but missing.'],
  ])('is refused for %s', async (_what, texts, sentence) => {
    await expect(load(texts)).rejects.toThrow(SetupError)
    await expect(load(texts)).rejects.toThrow(sentence)
  })

  it('is refused for the invalid scenario, not for the body file that it names', async () => {
    const broken = withFile('body.json').replace('status', 'stauts')
    await expect(load({ 'body.json': '[]', 'z.json': broken })).rejects.toThrow('Scenario z.json:1:')
    const both = { 'a.json': `["b.json"`, 'b.json': `["a.json"` }
    await expect(load(both)).rejects.toThrow('Scenario a.json:1:')
  })
})

describe('all scenarios', () => {
  it('are the built-in ones, and one of the same name replaces its built-in one in place', async () => {
    const builtIn = readdirSync(join(import.meta.dirname, '../../../scenarios')).map((file) =>
      file.replace(/\.json$/, ''),
    )
    const catalog = createCatalog(await loadAllScenarios({ 'mine.json': plain, 'conflict.yaml': plain }))
    expect(catalog.all().map(({ name }) => name)).toEqual([...builtIn, 'mine'].toSorted())
    expect(catalog.find('conflict')).toMatchObject({ source: 'file', description: 'For a test' })
    expect(catalog.find('conflict-once')).toMatchObject({ source: 'built-in' })
  })

  it('are listed with a title in plain words and a description of one line each', async () => {
    for (const { title, description } of await loadAllScenarios({})) {
      expect(title).toMatch(/^[A-Z][^\n]{5,60}[^.\s]$/)
      expect(description).toMatch(/^[A-Z][^\n]{10,118}[^.\s]$/)
    }
  })

  it('keep their counters if they are read again without a change', async () => {
    const texts = {
      'mine.json': scenario({ answer: { status: 200, body: [1] } }).replace('[1]', '[9223372036854775807]'),
    }
    const catalog = createCatalog(await loadAllScenarios(texts))
    const before = [catalog.find('mine'), catalog.find('conflict')]
    catalog.replace(await loadAllScenarios({ ...texts, 'conflict.json': plain }))
    expect(catalog.find('mine')).toBe(before[0])
    expect(catalog.find('conflict')).not.toBe(before[1])
  })
})

describe('the initial scenario names of a mock', () => {
  it.each<readonly [string | readonly string[], readonly string[]]>([
    ['conflict', ['conflict']],
    ['conflict, slow', ['conflict', 'slow']],
    [
      ['conflict', 'slow,empty'],
      ['conflict', 'slow', 'empty'],
    ],
    ['none', []],
    ['', []],
    [[], []],
  ])('%j are %j', async (names, expected) => {
    expect(toDefaults(names, createCatalog(await loadAllScenarios({})))).toEqual(expected)
  })

  it.each([
    [
      'conflit',
      'Unknown scenario "conflit". Did you mean "conflict"? The scenarios are: conflict, conflict-once, custom1,',
    ],
    ['xyzzy', 'Unknown scenario "xyzzy". The scenarios are: conflict, conflict-once, custom1,'],
    [
      'conflict,none',
      'The name "none" means no scenario and cannot be combined with others. Use it alone, or omit it.',
    ],
  ])('%s is refused', async (scenario, sentence) => {
    await expect(createMock({ scenario })).rejects.toThrow(SetupError)
    await expect(createMock({ scenario })).rejects.toThrow(sentence)
  })
})
