import { expect, it } from 'vitest'
import { findOperation } from '../../../src/tools/proxy/proxied-request.ts'

it.each([
  ['POST', '/oauth/token', 'undocumented'],
  ['POST', '/oauth/acme/anonymous/token', 'undocumented'],
  ['POST', '/oauth/whatever/a/service/offers', 'undocumented'],
  ['GET', '/oauth/resource', 'operation'],
  ['OPTIONS', '/acme/resource', 'undocumented'],
  ['GET', '/nowhere', 'unknown'],
])('the proxy identifies %s %s as %s', (method, path, kind) => {
  expect(findOperation(method, path)).toMatchObject({ kind })
})
