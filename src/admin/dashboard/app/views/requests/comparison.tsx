import type { JournalEntry } from '../../../../../sessions/journal/wiremock-json.ts'
import type { toExplanationJson } from '../../../../api/explanation.ts'
import { toHere } from '../../address.ts'
import { useResource } from '../../live.ts'
import { Link } from '../../parts/controls.tsx'
import { Diff } from '../../parts/diff.tsx'
import { findIn, findJsonTree, toJsonLine, toPrettyText } from '../../parts/json-tree.ts'
import { Card, ErrorNotice } from '../../parts/layout.tsx'
import { Status, Time } from '../../parts/status.tsx'
import { parseJournalEntry } from './entries.ts'

/** Headers that differ in any two messages. */
const UNIQUE = new Set(['x-correlation-id', 'date'])

const toMessageLines = (start: string, { headers, body }: Pick<JournalEntry['response'], 'headers' | 'body'>): string =>
  [
    start,
    ...Object.entries(headers)
      .filter(([name]) => !UNIQUE.has(name.toLowerCase()))
      .map(([name, value]) => `${name}: ${String(value)}`),
    toPrettyText(body),
  ].join('\n')

const toRequestLines = (request: JournalEntry): string => toMessageLines(`${request.method} ${request.url}`, request)
const toResponseLines = ({ response }: JournalEntry): string => toMessageLines(String(response.status), response)

/** The version that a request sent. */
function findSentVersion({ url, body }: JournalEntry): string | undefined {
  const node = findIn(findJsonTree(body), 'version')
  return node === undefined ? /[?&]version=(\d+)/.exec(url)?.[1] : toJsonLine(node)
}

interface ComparisonProps {
  readonly entry: JournalEntry
  /** How the request relates to its other attempts. */
  readonly retry: ReturnType<typeof toExplanationJson>['retry']
  /** The id of the other request, and where it is. */
  readonly other: string
  readonly path: string
}

/** What differs between another request and this one, and between their responses. */
export function RequestComparison({ entry, retry, other: id, path }: ComparisonProps) {
  const { value: other, error } = useResource(path, [], parseJournalEntry)
  if (other === undefined) return <ErrorNotice error={error} />
  const isRetry = retry?.retryOf === id || retry?.previous?.id === id
  const [before, after] = isRetry
    ? [retry.retryOf === id ? 'First attempt' : 'Attempt before', 'This retry']
    : ['Other request', 'This request']
  const [was, is] = [findSentVersion(other), findSentVersion(entry)]
  return (
    <Card title="Comparison" tools={<Link href={toHere({ compare: undefined })}>Stop comparing</Link>}>
      <p class="headline">
        {was !== is && `version ${was ?? 'none'} → ${is ?? 'none'}, `}
        <Status {...other.response} /> → <Status {...entry.response} />
      </p>
      <p class="quiet">
        − {before}, <Time at={other.loggedDate} />; + {after}, <Time at={entry.loggedDate} />
      </p>
      <details>
        <summary>Request</summary>
        <Diff label="Changes of the request" before={toRequestLines(other)} after={toRequestLines(entry)} />
      </details>
      <details>
        <summary>Response</summary>
        <Diff label="Changes of the response" before={toResponseLines(other)} after={toResponseLines(entry)} />
      </details>
    </Card>
  )
}
