import { endpoints } from '../contract/endpoints.ts'
import type { Operation } from './operation.ts'

const examples = endpoints.postComplex.responses[203].examples
type Example = keyof typeof examples

const isExample = (name: string): name is Example => Object.hasOwn(examples, name)

/**
 * Specification 4.9: 201 the first time a body id is posted to a path, 200 after that;
 * 203 when it is asked for, with the payload that is asked for (D16).
 */
export const postComplex: Operation<'postComplex'> = ({ path, body }, { project, fixtures, preferences }) => {
  const name = preferences.get('example')
  if (preferences.get('code') === '203') {
    const example = name !== undefined && isExample(name) ? name : 'custom1'
    const applied = name === example ? `code=203, example=${name}` : 'code=203'
    return { status: 203, body: fixtures.custom[example], headers: { 'Preference-Applied': applied } }
  }
  const wasPosted =
    body.id !== undefined && project.notePosted(JSON.stringify([path.uriParameterOne, path.uriParameterTwo, body.id]))
  return { status: wasPosted ? 200 : 201, body: fixtures.arrayTestType }
}

