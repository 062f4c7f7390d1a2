import type { Operation } from './operation.ts'

/**
 * Specification 4.9: 201 the first time a body id is posted to a path, 200 after that (D16). The 203 is never the mock's
 * own choice: it is preferred by the request, or a scenario answers it.
 */
export const postComplex: Operation<'postComplex'> = ({ path, body }, { project, fixtures }) => {
  const wasPosted =
    body.id !== undefined && project.notePosted(JSON.stringify([path.uriParameterOne, path.uriParameterTwo, body.id]))
  return { status: wasPosted ? 200 : 201, body: fixtures.arrayTestType }
}
