import { isSuccessStatus } from '../transport.ts'
import { splitList } from '../conversations/conversation.ts'
import { arrayNames } from '../../../service/contract/models.ts'
import { isExactNumber, lastOf } from './difference.ts'
import type { Compared, AnswerDifference } from './difference.ts'

/** One thing that the contract leaves free. */
export interface Tolerance {
  readonly id: string
  /** What may differ. */
  readonly frees: string
  /** Where the documents leave it free, in their words where they have some. */
  readonly word: string
  /** Undefined if the comparison reads both answers so that the difference does not appear. */
  readonly isFree?: (difference: AnswerDifference, compared: Compared) => boolean
}

const IDENTITY: ReadonlySet<string> = new Set(['id', 'key', 'someProperty', 'createdAt', 'lastModifiedAt'])
const DOCUMENTED: ReadonlySet<string> = new Set([
  ...arrayNames,
  ...IDENTITY,
  ...splitList('total | facets | integerExample | integerExampleInt32 | version | limit | offset | count | results'),
])

const isStatus = ({ at }: AnswerDifference): boolean => at === 'status'

/** Whether a text is in German, the language of a cart that the service has shown. */
const isShown = ({ step, service }: Compared): boolean =>
  /^de/i.test(step.headers?.['Storefront-Locale'] ?? '') && service.saved.has('de')

/**
 * What the contract leaves free: a difference between the mock's answer and the service's counts unless a line frees it.
 * `verify --tolerances` prints the table, and docs/contract-testing.md contains it.
 */
export const tolerances: readonly Tolerance[] = [
  {
    id: 'member-order',
    frees: 'the order of the members of a JSON object',
    word: 'D8: "a service that lists them otherwise is not at fault"',
  },
  {
    id: 'extra-members',
    frees: 'members that no table documents',
    word: 'D4: unknown members are ignored',
    isFree: ({ kind, at }) => kind === 'extra' && !DOCUMENTED.has(lastOf(at)),
  },
  {
    id: 'identity',
    frees: 'id, key, someProperty and dates outside of results: absent',
    word: 'D5: "bodies hold exactly the documented fields"',
    isFree: ({ kind, at }) => kind === 'missing' && IDENTITY.has(at),
  },
  {
    id: 'messages',
    frees: 'the wording of message, error_description and detailedErrorMessage, that of a 403 too',
    word: 'section 7: "error body shape … not shown"; Errors names codes and members, not wording',
  },
  {
    id: 'error-entries',
    frees: 'further entries in errors, further members of an entry, and which code of status 400',
    word: 'section 7: "which condition yields which code: not shown"',
  },
  {
    id: 'ids',
    frees: 'the form of ids; Location as a path or a whole URL, on any host',
    word: 'section 4.2: id is a string; RFC 9110, section 10.2.2',
  },
  {
    id: 'dates',
    frees: 'when something was written, the digits and offset of a date-time, and equal dates within a second',
    word: 'section 2: "ISO 8601"; D92',
    isFree: ({ kind, at, mock, service }, { hasPaused, service: side }) =>
      kind === 'date' &&
      ((at.endsWith('lastModifiedAt') && mock === 'same' && service === 'later') ||
        // A clock that never moves is frozen.
        (mock === 'later' && service === 'same' && (!hasPaused || side.instants.size === 1))),
  },
  {
    id: 'order',
    frees: 'the order of results without sort, those of a search, and which of them are on a page',
    word: 'sections 4.1, 4.4 and 4.12: "Response: not shown"; D14 gives no order',
  },
  {
    id: 'empty-arrays',
    frees: 'an array that the first result of a page lacks: absent or empty',
    word: 'D10: "all seven arrays empty if there is none"; D2',
  },
  {
    id: 'decimals',
    frees: 'how a decimal is written, and its digits beyond a double: 1.0, 1e0',
    word: 'D3 promises digits for integers; D9: "`1.0` is an integer, kept as 1"',
    isFree: ({ at, mock, service }) =>
      /arrayOf(?:Float|NumberNoDefaults)Example(?:\[\d+\])?$|terms\[\d+\]\.term$/.test(at) &&
      isExactNumber(mock) &&
      isExactNumber(service) &&
      Number(mock) === Number(service),
  },
  {
    id: 'facet-terms',
    frees: 'terms of a number field as strings',
    word: 'D14: "a service that writes them as texts is not at fault"',
    isFree: ({ at, mock, service }) => /terms\[\d+\]\.term$/.test(at) && String(mock) === String(service),
  },
  {
    id: 'facet-type',
    frees: 'the value of dataType',
    word: 'D14 names the member, not its values',
    isFree: ({ at, service }) => lastOf(at) === 'dataType' && typeof service === 'string',
  },
  {
    id: 'carts',
    frees: 'the values of carts and of answers of the complex POST: members and types are compared',
    word: 'section 2 shows members and types; D16 and D23 answer fixtures',
  },
  {
    id: 'payload',
    frees: 'the first action payload',
    word: 'section 4.14: "Response body: not shown"; D22',
  },
  {
    id: 'locales',
    frees: 'which locales and languages a service has: 400 for one that it does not have',
    word: 'D23 describes fixtures',
    isFree: (difference, compared) =>
      compared.step.topic === 'locale' && isStatus(difference) && difference.service === 400 && !isShown(compared),
  },
  {
    id: 'content-language',
    frees: 'no Content-Language, or another one',
    word: 'D23: "Content-Language says which" of the fixtures',
    isFree: ({ at, service }) => at === 'Content-Language' && service === undefined,
  },
  {
    id: 'other-methods',
    frees: 'a method or path that the contract does not have, if the service has it',
    word: 'section 4 lists what there is; D24 is about what there is not',
    isFree: (difference, { step: { topic } }) =>
      (topic === 'other method' || topic === 'unknown path') &&
      isStatus(difference) &&
      isSuccessStatus(difference.service),
  },
  {
    id: 'prefer',
    frees: '203, which only Prefer asks for',
    word: 'section 4.9: "Which condition yields 200, 201 or 203: not shown"',
    isFree: (difference, { step }) =>
      step.topic === 'prefer' && isStatus(difference) && isSuccessStatus(difference.service),
  },
  {
    id: 'variants',
    frees: 'how a large variant without a resource is refused: 400 or 404',
    word: 'D21: "a service that takes it and answers 404 … is not at fault"',
    isFree: (difference, { operation }) =>
      operation === 'uploadImage' && isStatus(difference) && difference.mock === 400 && difference.service === 404,
  },
  {
    id: 'clients',
    frees: 'a scope or grant that this client may not have, and a customer that does not exist: 400',
    word: 'RFC 6749, section 5.2; D31: the mock takes any client',
    isFree: (difference, { step }) =>
      step.path.startsWith('/oauth/') && isStatus(difference) && difference.mock === 200 && difference.service === 400,
  },
  {
    id: 'tokens',
    frees: 'the form of tokens, their lifetimes, no scope in the answer, `bearer` in any case',
    word: 'section 5: "How a token is obtained: not shown"; RFC 6749, sections 3.3 and 5.1',
  },
  {
    id: 'challenges',
    frees:
      'the form of WWW-Authenticate: several challenges in one line, unquoted values, any case, further parameters',
    word: 'RFC 9110, section 11.6.1',
  },
  {
    id: 'projects',
    frees: 'a second project that the service does not have: 403 or 404',
    word: 'section 1: "project-scoped"; no section says that there are two',
    isFree: (difference, { step }) =>
      step.path.startsWith('/{o}') &&
      isStatus(difference) &&
      (difference.service === 403 || difference.service === 404),
  },
  {
    id: 'headers',
    frees: 'further headers, further methods in Allow, and X-Mock-*',
    word: 'RFC 9110, section 5.1; D24',
  },
  {
    id: 'correlation-ids',
    frees: 'what answers a malformed X-Correlation-ID',
    word: 'section 7: "which condition yields which code: not shown"',
    isFree: (_, { step }) =>
      /^(?![\w-]{8,256}$)/.test(step.headers?.['X-Correlation-ID'] ?? 'a valid id'.replaceAll(' ', '-')),
  },
  {
    id: 'lag',
    frees: 'a search that knows a write after 2.5 seconds, a query after 0.6',
    word: 'section 3: "States and transitions: not shown"',
  },
  {
    id: 'limits',
    frees: 'a well-formed 429 or 503 with Retry-After, in seconds or as a date',
    word: 'section 8: "Numeric limits (rate …): not shown"; RFC 9110, section 10.2.3',
  },
]

/** Whether the contract leaves a difference free. */
export const isTolerated = (difference: AnswerDifference, compared: Compared): boolean =>
  tolerances.some(({ isFree }) => isFree?.(difference, compared) === true)
