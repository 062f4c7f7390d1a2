import { toHere } from '../../address.ts'
import { useResource } from '../../live.ts'
import { Link } from '../../parts/controls.tsx'
import { Diff } from '../../parts/diff.tsx'
import { toPrettyText } from '../../parts/json-tree.ts'
import { Card, ErrorNotice } from '../../parts/layout.tsx'
import type { JournalRequest } from './entries.ts'

/** Headers that differ in any two messages. */
const UNIQUE = new Set(['x-correlation-id', 'date'])

const toMessageLines = (start: string, { headers, body }: JournalRequest['request' | 'response']): string =>
  [
    start,
    ...Object.entries(headers)
      .filter(([name]) => !UNIQUE.has(name.toLowerCase()))
      .map(([name, value]) => `${name}: ${String(value)}`),
    toPrettyText(body),
  ].join('\n')

const toRequestLines = ({ request }: JournalRequest): string =>
  toMessageLines(`${request.method} ${request.url}`, request)
const toResponseLines = ({ response }: JournalRequest): string => toMessageLines(String(response.status), response)

interface ComparisonProps {
  readonly entry: JournalRequest
  /** Where the other request is. */
  readonly path: string
}

/** What differs between another request and this one, and between their responses. */
export function RequestComparison({ entry, path }: ComparisonProps) {
  const { value: other, error } = useResource<JournalRequest>(path, [])
  if (other === undefined) return <ErrorNotice error={error} />
  return (
    <Card title="Comparison" tools={<Link href={toHere({ compare: undefined })}>Stop comparing</Link>}>
      <p class="quiet">
        - {other.request.method} {other.request.loggedDateString}, + this request
      </p>
      <h3>Request</h3>
      <Diff label="Changes of the request" before={toRequestLines(other)} after={toRequestLines(entry)} />
      <h3>Response</h3>
      <Diff label="Changes of the response" before={toResponseLines(other)} after={toResponseLines(entry)} />
    </Card>
  )
}
