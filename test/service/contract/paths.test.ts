import { describe, expect, it } from 'vitest'
import { operationIds } from '../../../src/service/contract/endpoints.ts'
import { findServicePath, paths } from '../../../src/service/contract/paths.ts'

describe('findPath', () => {
  it.each([
    ['/acme/resource', '/{projectKey}/resource'],
    ['/acme/resource/1', '/{projectKey}/resource/{id}'],
    ['/acme/resource/key=a', '/{projectKey}/resource/key={key}'],
    ['/acme/resource/key=', '/{projectKey}/resource/key={key}'],
    ['/acme/resource/key', '/{projectKey}/resource/{id}'],
    ['/acme/resource/key%3Da', '/{projectKey}/resource/{id}'],
    ['/acme/resource/images', '/{projectKey}/resource/images'],
    ['/acme/resource/imagesx', '/{projectKey}/resource/{id}'],
    ['/acme/resource/a%2Fb', '/{projectKey}/resource/{id}'],
    ['/acme/resource/namespace-action-with-headers', '/{projectKey}/resource/namespace-action-with-headers'],
    [
      '/acme/resource/artificially-complex/path/uri-parameter-one=/x',
      '/{projectKey}/resource/artificially-complex/path/uri-parameter-one={uriParameterOne}/{uriParameterTwo}',
    ],
    ['/acme/resource/artificially-complex/path/uri-parameter-one=a/', undefined],
    ['/acme/resource/artificially-complex/path/uri-parameter-two=a/b', undefined],
    ['/acme/resource/', undefined],
    ['/acme/resource/1/', undefined],
    ['/acme/Resource', undefined],
    ['//resource', undefined],
    ['/acme', undefined],
  ])('of %s is %s', (path, template) => {
    expect(findServicePath(path)?.path.template).toBe(template)
  })
})

it('has every operation on exactly one path', () => {
  expect(paths.flatMap(({ operations }) => [...operations.values()]).toSorted()).toEqual(operationIds.toSorted())
})

it.each([
  ['/{projectKey}/resource', ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']],
  ['/{projectKey}/resource/{id}', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST']],
  ['/{projectKey}/resource/images', ['OPTIONS', 'POST']],
])('%s allows only %j', (template, allowed) => {
  expect(paths.find((path) => path.template === template)?.allowed.toSorted()).toEqual(allowed)
})
