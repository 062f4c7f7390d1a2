import { stringifyJson } from '../../http/json.ts'
import type { OwnSamples } from '../resources.ts'
import type { SelectionCase } from './selection.ts'

const json = (value: unknown): string => JSON.stringify(value)

/** What the conditions select of the three samples (D11). */
export const conditions: readonly SelectionCase[] = [
  ['string-parameter', { stringParameter: 'kiln' }, [0]],
  ['string-parameter', { stringParameter: 'kil' }, []],
  ['string-parameter', { stringParameter: 'KILN' }, []],
  ['string-parameter', { stringParameter: '2 in arrayOfTwonumbersExample' }, [0, 1]],
  ['string-parameter', { stringParameter: '3 in arrayOfFloatExample' }, []],
  ['string-parameter', { stringParameter: '99 in arrayOfIntExample' }, [2]],
  ['float-parameter', { floatParameter: '2.5' }, [1]],
  ['float-parameter', { floatParameter: '35e-1' }, [2]],
  ['float-parameter', { floatParameter: '2' }, []],
  ['exact-numbers', { floatParameter: '0.1' }, [0]],
  ['exact-numbers', { floatParameter: '0.10000000149011612' }, []],
  ['integer-parameter', { integerParameter: '-3' }, [2]],
  ['integer-parameter', { integerParameter: '2.0' }, [1]],
  ['integer-parameter', { integerParameter: '4' }, []],
  ['markdown-parameter', { withMarkdownDescription: '8.25' }, [1]],
  ['markdown-parameter', { withMarkdownDescription: '9' }, [0]],
  ['markdown-parameter', { withMarkdownDescription: '2.5' }, []],
  ['array-of-string', { arrayOfString: 'oakum' }, [1]],
  ['array-of-string', { arrayOfString: ['kiln', 'ax'] }, [0]],
  ['array-of-string', { arrayOfString: ['kiln', 'oakum'] }, []],
  ['array-of-string', { arrayOfString: 'Kiln' }, []],
  ['array-of-string-with-description', { arrayOfStringWithDescription: 'oakum' }, [1]],
  ['array-of-string-with-description', { arrayOfStringWithDescription: ['kiln', 'ax'] }, [0]],
  ['array-of-string-with-description', { arrayOfStringWithDescription: ['ax', 'oakum'] }, []],
  ['object-parameter', { objectParameter: json({ arrayOfString: 'kiln' }) }, [0]],
  ['object-parameter', { objectParameter: json({ arrayOfString: ['kiln', 'ax'] }) }, [0]],
  ['object-parameter', { objectParameter: json({ arrayOfString: ['kiln', 'oakum'] }) }, []],
  ['object-parameter', { 'objectParameter[arrayOfString]': 'oakum' }, [1]],
  ['object-parameter', { 'objectParameter[arrayOfString]': 'oak' }, []],
  ['object-parameter', { 'objectParameter[arrayOfString]': ['kiln', 'ax'] }, [0]],
  ['object-parameter', { 'objectParameter[arrayOfString]': ['kiln', 'oakum'] }, []],
  ['object-parameter', { 'objectParameter.arrayOfString': 'oakum' }, [1]],
  ['object-parameter', { 'objectParameter.arrayOfString': 'oak' }, []],
  ['exact-numbers', { integerParameter: '9007199254740993' }, [0, 1, 2]],
  ['exact-numbers', { integerParameter: '9007199254740992' }, []],
  ['exact-numbers', { stringParameter: '9007199254740992 in arrayOfIntExample' }, []],
  ['all-conditions', { stringParameter: 'kiln', floatParameter: '1.5', arrayOfString: 'ax' }, [0]],
  ['all-conditions', { stringParameter: 'kiln', floatParameter: '2.5' }, []],
  ['all-conditions', { integerParameter: '1', arrayOfString: 'oakum' }, []],
]

/** What `unionParameter` selects of them. */
export const toUnions = ([first]: OwnSamples): readonly SelectionCase[] => {
  const { version, content } = first
  // JSON of its own: `content` has integers past 2^53.
  const text = stringifyJson({ version, objectTypeProperty: content })
  const reversed = Object.fromEntries(Object.entries(content).toReversed())
  const { arrayOfFloatExample: _, ...partial } = content
  const other = stringifyJson({ version: version + 1, objectTypeProperty: content })
  return [
    ['union-number', { unionParameter: '-3' }, [2]],
    ['union-number', { unionParameter: '2.5' }, [1]],
    ['union-number', { unionParameter: '4' }, [2]],
    ['union-number', { unionParameter: '9' }, [0]],
    ['union-number', { unionParameter: '77.5' }, []],
    ['union-number', { unionParameter: '20' }, []],
    ['exact-numbers', { unionParameter: '9223372036854775807' }, [0, 1, 2]],
    ['exact-numbers', { unionParameter: '9007199254740992' }, []],
    ['union-date-time', { unionParameter: '1970-01-01T00:00:00.000Z' }, [0, 1, 2]],
    ['union-date-time', { unionParameter: '9999-01-01T00:00:00.000Z' }, []],
    ['union-object', { unionParameter: text }, [0]],
    ['union-object', { unionParameter: other }, []],
    ['union-object', { unionParameter: stringifyJson({ objectTypeProperty: reversed, version }) }, [0]],
    ['union-object', { unionParameter: stringifyJson({ version, objectTypeProperty: partial }) }, []],
  ]
}
