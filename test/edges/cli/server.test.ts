import { describe, expect, it } from 'vitest'
import { findNotes, findOpener } from '../../../src/edges/cli/server.ts'

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
