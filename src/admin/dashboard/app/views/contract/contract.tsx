import { toView } from '../../address.ts'
import { useLive, useResource } from '../../live.ts'
import { Link } from '../../parts/controls.tsx'
import { Card, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { Method } from '../../parts/status.tsx'
import { DataTable } from '../../parts/table.tsx'
import { listSentOperations } from '../send/draft.ts'

/** The operations of the contract. */
export function ContractView() {
  const { source } = useLive()
  const { value, error } = useResource('/openapi.json', [], listSentOperations)
  return (
    <>
      <ViewHead title="Contract">
        <a class="button" href={source.toUrl('/openapi.json')} download="openapi.json">
          OpenAPI
        </a>
      </ViewHead>
      <ErrorNotice error={error} />
      {value !== undefined && (
        <Card isFlush>
          <DataTable
            label="Operations"
            rows={value}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Method', cell: ({ method }) => <Method method={method} /> },
              { title: 'Operation', cell: ({ id }) => <b>{id}</b> },
              {
                title: 'Path',
                track: 'minmax(240px, 1fr)',
                cell: ({ path }) => (
                  <code class="clip" title={path}>
                    {path}
                  </code>
                ),
              },
              {
                title: 'Scopes, any of',

                cell: ({ scopes }) => (
                  <span class="quiet">{scopes.length === 0 ? 'any token' : scopes.join(', ')}</span>
                ),
              },
              ...(source.isReadOnly
                ? []
                : [
                    {
                      title: 'Try',

                      cell: ({ id }: { readonly id: string }) => (
                        <Link class="button small" href={toView('send', { operation: id })}>
                          Try it<span class="sr"> {id}</span>
                        </Link>
                      ),
                    },
                  ]),
            ]}
          />
        </Card>
      )}
    </>
  )
}
