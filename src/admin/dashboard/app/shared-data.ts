/** The content of a self-contained page. */
export interface SharedData {
  /** The session that the page shows unless its address names another. */
  readonly session: string
  /** The first view. */
  readonly view: string
  /** What the page does not contain, as a sentence. */
  readonly leftOut?: string | undefined
  /** The JSON texts of the admin API's responses, by {@link toAnswerKey}. */
  readonly answers: Readonly<Record<string, string>>
}

/** Parameters of lists that a file ignores: it has one page of each list, with everything that the dashboard shows. */
const IGNORED = ['limit', 'before', 'summary', 'retries', 'periods']

/**
 * The key of a response in a self-contained page.
 *
 * @param path of the admin API, such as `/requests?limit=100`
 * @param session if the path names none
 */
export function toAnswerKey(path: string, session?: string): string {
  const { pathname, searchParams } = new URL(path, 'file:///')
  const named = searchParams.get('session') ?? session
  for (const name of [...IGNORED, 'session']) searchParams.delete(name)
  if (named !== undefined) searchParams.set('session', named)
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}
