import { describe, expect, it } from 'vitest'
import { serve } from '../../support/serve.ts'
import { run, runHere } from './command.ts'

const ask = (url: string, path: string) => fetch(url + path, { headers: { Authorization: 'Bearer any' } })

describe('resource-mock coverage', () => {
  it('prints the covered cases, and fails below --min', async () => {
    const url = await serve()
    await ask(url, '/@a/acme/resource')
    await ask(url, '/@b/acme/resource/none')
    const enough = await runHere(['coverage', '--url', url, '--min', '0.1'])
    expect(enough).toMatchObject({ status: 0, stderr: '' })
    expect(enough.stdout).toContain('  Operations      2 of 18\n')
    const tooLittle = await run(['coverage', '--url', url, '--min', '99.5'])
    expect(tooLittle.status).toBe(1)
    expect(tooLittle.stderr).toMatch(/^The coverage of failure is [\d.]+ %, below the minimum of 99.5 %.\n$/)
    expect(tooLittle.stdout).toBe(enough.stdout)
  })

  it('prints JSON of one session and some operations', async () => {
    const url = await serve({ adminToken: 'secret' })
    await ask(url, '/@a/acme/resource')
    const args = ['--url', url, '--json', '--only', 'queryResources', '--session', 'a', '--admin-token', 'secret']
    const { stdout } = await runHere(['coverage', ...args])
    expect(JSON.parse(stdout)).toMatchObject({
      summary: { operations: { met: 1, of: 1 } },
      operations: [{ id: 'queryResources', met: 1 }],
    })
  })

  it.each([
    [['--min', '101'], '--min must be a percentage from 0 to 100, not 101.'],
    [['--min', 'most'], '--min must be a percentage from 0 to 100, not "most".'],
    [['--only', 'queryResource'], 'Did you mean "queryResources"?'],
    [['--url', 'http://127.0.0.1:1'], 'No mock responds at http://127.0.0.1:1'],
  ])('fails with status 2 for %j', async (args, sentence) => {
    const { status, stderr } = await runHere(['coverage', ...args])
    expect(status).toBe(2)
    expect(stderr).toContain(sentence)
  })
})
