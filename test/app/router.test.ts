import { expect, it } from 'vitest'
import { TerminalRouter } from '../../src/app/app.ts'

it('the router remembers paths only for methods that have a route, since clients may send any other', () => {
  const router = new TerminalRouter<string>()
  router.add('GET', '/a', 'handler')
  expect(router.match('GET', '/a')).toBe(router.match('GET', '/a'))
  expect(router.match('BREW', '/a')).not.toBe(router.match('BREW', '/a'))
})
