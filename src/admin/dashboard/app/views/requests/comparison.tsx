import { toHere } from '../../address.ts'
import { useResource } from '../../live.ts'
import { Link } from '../../parts/controls.tsx'
import { Diff } from '../../parts/diff.tsx'
import { toPrettyText } from '../../parts/json-tree.ts'
import { Card, Failure } from '../../parts/layout.tsx'
import type { JournalRequest } from './entries.ts'

const toLines = (start: string, { headers, body }: JournalRequest['request' | 'response']): string =>
  [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`), toPrettyText(body)].join('\n')

const toRequest = ({ request }: JournalRequest): string => toLines(`${request.method} ${request.url}`, request)
const toResponse = ({ response }: JournalRequest): string => toLines(String(response.status), response)

interface ComparisonProps {
  readonly entry: JournalRequest
  /** Where the other request is. */
  readonly path: string
}

/** What differs between another request and this one, and between their responses. */
export function Comparison({ entry, path }: ComparisonProps) {
  const { value: other, error } = useResource<JournalRequest>(path, [])
  if (other === undefined) return <Failure error={error} />
  return (
    <Card title="Comparison" tools={<Link href={toHere({ compare: undefined })}>Stop comparing</Link>}>
      <p class="quiet">
        - {other.request.method} {other.request.loggedDateString}, + this request
      </p>
      <h3>Request</h3>
      <Diff label="Changes of the request" before={toRequest(other)} after={toRequest(entry)} />
      <h3>Response</h3>
      <Diff label="Changes of the response" before={toResponse(other)} after={toResponse(entry)} />
    </Card>
  )
}
