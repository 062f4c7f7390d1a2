import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findNotes } from '../../../src/edges/cli/server.ts'
import { findOpener, parseChoice } from '../../../src/edges/cli/terminal.ts'

const names = ['conflict', 'conflict-once', 'flaky', 'slow', '2020']

describe('a choice of scenarios', () => {
  it.each([
    ['1', ['conflict']],
    ['conflict', ['conflict']],
    ['once', ['conflict-once']],
    ['SLO', ['slow']],
    ['4, 3', ['slow', 'flaky']],
    ['slow conflict', ['slow', 'conflict']],
    ['2020', ['2020']],
    ['0', []],
    ['none', []],
  ])('%j', (typed, chosen) => {
    expect(parseChoice(typed, names)).toEqual({ kind: 'chosen', names: chosen })
  })

  it.each(['', '  ', ', ,'])('%j does not change it', (typed) => {
    expect(parseChoice(typed, names)).toEqual({ kind: 'unchanged' })
  })

  it.each([
    ['confl', '"confl" matches conflict, conflict-once.'],
    ['slow, flakey', 'Unknown scenario "flakey". Did you mean "flaky"?'],
    ['9', 'Unknown scenario "9".'],
    ['0, slow', '"0" matches '],
  ])('%j is unclear', (typed, sentence) => {
    const choice = parseChoice(typed, [...names, '3030'])
    expect(choice.kind === 'unclear' && choice.sentence).toContain(sentence)
  })

  it('contains only existing names', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const choice = parseChoice(typed, names)
        if (choice.kind === 'chosen') for (const name of choice.names) expect(names).toContain(name)
      }),
    )
  })
})

describe('a browser', () => {
  it.each([
    ['darwin', {}, ['open']],
    ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
    ['linux', { DISPLAY: ':0' }, ['xdg-open']],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
    ['linux', { DISPLAY: '' }, undefined],
    ['linux', {}, undefined],
  ] as const)('on %s with %j is opened by %j', (platform, env, opener) => {
    expect(findOpener(platform, env)).toEqual(opener)
  })
})

describe('the settings', () => {
  it.each([
    [{ host: '127.0.0.1' }, 0],
    [{ host: '127.1.2.3' }, 0],
    [{ host: '::1' }, 0],
    [{ host: 'localhost' }, 0],
    [{ host: 'api.localhost' }, 0],
    [{ host: '0.0.0.0' }, 1],
    [{ host: '::' }, 1],
    [{ host: '192.0.2.1' }, 1],
    [{ host: '192.0.2.1', adminToken: 'hush' }, 0],
    [{ watch: true, fixtures: '/mine' }, 0],
    [{ watch: true }, 1],
    [{ open: true }, 0],
    [{ open: true, admin: false }, 1],
  ])('%j call for %i notes', (settings, count) => {
    expect(findNotes(settings)).toHaveLength(count)
  })
})
