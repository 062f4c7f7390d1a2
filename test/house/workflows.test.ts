import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readText } from './sources.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}
interface Job {
  readonly needs?: string
  readonly uses?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps?: readonly Step[]
}
interface Workflow {
  readonly on: unknown
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const folder = '.github/workflows'
// The tools' tests check each workflow against GitHub's schema.
const readWorkflow = (name: string) => parse(readText(join(folder, name))) as Workflow
const runsOf = (job: Job | undefined) => (job?.steps ?? []).flatMap(({ run }) => run ?? [])
const scripts = Object.keys((JSON.parse(readText('package.json')) as { readonly scripts: object }).scripts)

describe.each(readdirSync(folder))('.github/workflows/%s', (name) => {
  const { jobs, permissions } = readWorkflow(name)
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? [])

  it('pins each action to a commit', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? [])
    expect(actions.length).toBeGreaterThan(0)
    expect(actions.filter((action) => !/^actions\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([])
  })

  it('is read-only, unless a job needs more', () => {
    expect(permissions).toEqual({ contents: 'read' })
  })

  it('runs only scripts in package.json', () => {
    const named = steps.flatMap(({ run = '' }) =>
      Array.from(run.matchAll(/npm run ([\w:-]+)/g), ([, script]) => script),
    )
    expect(named.filter((script) => !scripts.includes(script ?? ''))).toEqual([])
  })
})

describe('a release', () => {
  const { on, jobs } = readWorkflow('publish.yml')

  it('is tested by the same steps as every change', () => {
    expect(on).toEqual({ release: { types: ['published'] } })
    expect(jobs['test']?.uses).toBe('./.github/workflows/test.yml')
    expect(runsOf(readWorkflow('test.yml').jobs['test'])).toContain('.ci/run')
  })

  it('is published with provenance, once the tests have passed', () => {
    expect(jobs['publish']).toMatchObject({ needs: 'test', permissions: { 'id-token': 'write' } })
    expect(runsOf(jobs['publish']).at(-1)).toBe('npm publish --provenance --access public')
  })

  it('has no script that npm would run, or warn about, on installation', () => {
    expect(scripts.filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([])
  })
})
