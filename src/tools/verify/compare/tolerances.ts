/** One thing that a comparison never counts. */
export interface Tolerance {
  readonly id: string
  /** What may differ. */
  readonly frees: string
  /** Where the documents leave it free, in their words where they have some. */
  readonly word: string
}

/** What is neither a violation nor a difference. `verify --tolerances` prints the table. */
export const tolerances: readonly Tolerance[] = [
  {
    id: 'member-order',
    frees: 'the order of the members of a JSON object',
    word: 'RFC 8259, section 4; D8',
  },
  {
    id: 'messages',
    frees: 'the wording of errors, further entries and members of errors, and which code of status 400',
    word: 'section 7: "error body shape … not shown"; Errors names codes and members, not wording',
  },
  {
    id: 'ids',
    frees: 'the form of ids; Location as a path or a whole URL, on any host',
    word: 'section 4.2: id is a string; RFC 9110, section 10.2.2',
  },
  {
    id: 'identity',
    frees: 'id, key, someProperty and dates outside of results: absent',
    word: 'D5: "a body has exactly the documented fields"',
  },
  {
    id: 'dates',
    frees: 'when something was written, the digits and offset of a date-time, and equal dates within a second',
    word: 'section 2: "ISO 8601"; D92',
  },
  {
    id: 'order',
    frees: 'the order of results without sort, those of a search, and which of them are on a page',
    word: 'sections 4.1, 4.4 and 4.12: "Response: not shown"; D14 gives no order',
  },
  {
    id: 'empty-arrays',
    frees: 'an array that the first result of a page lacks: absent or empty',
    word: 'D10: "seven empty arrays if the page has no results"; D2',
  },
  {
    id: 'decimals',
    frees: 'how a decimal is written, and its digits beyond a double: 1.0, 1e0',
    word: 'D3 promises digits for integers; D9',
  },
  {
    id: 'values',
    frees: 'the values of carts, of answers of the complex POST, and of the first action payload',
    word: 'section 2 shows members and types; D16, D22 and D23 answer fixtures',
  },
  {
    id: 'challenges',
    frees: 'the form of WWW-Authenticate: several challenges, unquoted values, any case, further parameters',
    word: 'RFC 9110, section 11.6.1',
  },
  {
    id: 'headers',
    frees: 'further headers, and further methods in Allow',
    word: 'RFC 9110, section 5.1; D24',
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
