import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPathGlob } from '../../../src/service/scenarios/path-glob.ts'

describe('a path glob', () => {
  it.each([
    ['/acme/resource/*', '/acme/resource/1', true],
    ['/acme/resource/*', '/acme/resource/', false],
    ['/acme/resource/*', '/acme/resource', false],
    ['/acme/resource/**', '/acme/resource', true],
    ['/acme/resource/**', '/acme/resource/1/2', true],
    ['/**', '/acme/resource', true],
    ['**', '/acme/resource', true],
    ['/**/images', '/acme/resource/images', true],
    ['/**/images', '/images', true],
    ['/**/resource/**/b', '/a/resource/resource/c/b', true],
    ['/**/resource/**/b', '/a/resource/b/c', false],
    ['/*/resource/key=*', '/acme/resource/key=', true],
    ['/*/resource/k*y=?', '/acme/resource/key=1', true],
    ['/*/resource/k*y=?', '/acme/resource/key=12', false],
    ['/acme/resource/a**b', '/acme/resource/a/b', false],
    ['/acme/resource/a**b', '/acme/resource/acb', true],
    ['/acme/resource/[ab]', '/acme/resource/a', false],
    ['/acme/resource/.', '/acme/resource/a', false],
    ['/acme/resource/key=é', '/acme/resource/key=%C3%A9', true],
    ['/acme/resource/key=%c3%a9', '/acme/resource/key=%C3%A9', true],
    ['/acme/resource/key=%C3%A9', '/acme/resource/key=%c3%a9', true],
    ['/acme/resource/key=?', '/acme/resource/key=%C3%A9', true],
    ['/acme/resource/key=?', '/acme/resource/key=%F0%9F%8C%8D', true],
    ['/acme/resource/key=é*', '/acme/resource/key=%C3%A9clair%2F1', true],
    ['/acme/resource/key=a b', '/acme/resource/key=a%20b', true],
    ['/acme/resource/key=%2A', '/acme/resource/key=*', true],
    ['/acme/resource/key=%2A', '/acme/resource/key=a', false],
    ['/acme/resource/key=a%2Fb', '/acme/resource/key=a/b', false],
    ['', '', true],
  ])('%j admits %j: %s', (glob, path, expected) => {
    expect(toPathGlob(glob)(path)).toBe(expected)
  })

  it('matches the same texts as a regular expression', () => {
    const glob = fc.array(fc.constantFrom('a', 'b', '*', '?', '/a', '/*b'), { maxLength: 8 }).map((all) => all.join(''))
    const path = fc.array(fc.constantFrom('a', 'b', 'ab', '/a', '/'), { maxLength: 8 }).map((all) => all.join(''))
    const toSegment = (segment: string) =>
      /^\*+$/.test(segment) ? '[^/]+' : segment.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')
    fc.assert(
      fc.property(glob, path, (glob, path) => {
        fc.pre(!glob.split('/').includes('**'))
        const expression = new RegExp(`^${glob.split('/').map(toSegment).join('/')}$`)
        expect(toPathGlob(glob)(path)).toBe(expression.test(path))
      }),
    )
  })

  it('matches the same segments as a regular expression', () => {
    const piece = fc.constantFrom('/a', '/b', '/**', '/*', '/?', '/a*b', '**', '')
    const glob = fc.array(piece, { maxLength: 12 }).map((all) => all.join(''))
    const path = fc.array(fc.constantFrom('/a', '/b', '/ab', '/aab', '/'), { maxLength: 12 }).map((all) => all.join(''))
    const toSegments = (segment: string, at: number, all: readonly string[]) => {
      if (segment === '**') return all[at - 1] === '**' ? '' : '(?:/[^/]*)*'
      return /^\*+$/.test(segment) ? '/[^/]+' : `/${segment.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}`
    }
    fc.assert(
      fc.property(glob, path, (glob, path) => {
        const expression = new RegExp(`^${glob.split('/').map(toSegments).join('')}$`)
        expect(toPathGlob(glob)(path)).toBe(expression.test(`/${path}`))
      }),
    )
  })

  it('matches a long glob', () => {
    const glob = `/**${'/a*?'.repeat(60)}/b/**`
    expect(toPathGlob(glob)(`${'/abc'.repeat(60)}/b/c`)).toBe(true)
    expect(toPathGlob(glob)(`/x${'/abc'.repeat(60)}/b`)).toBe(true)
    expect(toPathGlob(glob)(`${'/abc'.repeat(59)}/b`)).toBe(false)
  })
})
