import { operationIds } from '../../contract/endpoints.ts'
import { createOpenApi } from '../../openapi/document.ts'
import type { Fixtures } from '../../state/fixtures.ts'
import { listOperations } from '../contract-document.ts'
import type { PlacedOperation } from '../contract-document.ts'
import { Method } from '../parts/status.tsx'
import { Unknown } from '../parts/fault.tsx'
import { EXAMPLE_PROJECT } from '../projects.ts'
import type { ViewContext } from '../view-context.ts'
import { OperationDetail } from './operation.tsx'

const Line = ({
  context,
  placed,
  chosen,
}: {
  readonly context: ViewContext
  readonly placed: PlacedOperation
  readonly chosen: string
}) => {
  const { operationId, summary } = placed.operation
  return (
    <li>
      <a
        href={context.place.to('contract', { operation: operationId })}
        aria-current={operationId === chosen ? 'true' : undefined}
      >
        <Method method={placed.method} />
        <span>
          <b>{operationId}</b>
          <span class="quiet">{summary}</span>
        </span>
      </a>
    </li>
  )
}

/** The fixtures, with a resource that exists now, so that requests succeed with the example values. */
function toExampleFixtures({ parts, session }: ViewContext): Fixtures {
  const fixtures = parts.fixtures()
  const [first] = parts.store.access(session.name, EXAMPLE_PROJECT).read().all()
  return first === undefined ? fixtures : { ...fixtures, resources: [first] }
}

/** Every operation, with a form to try it. */
export const ContractView = ({ context }: { readonly context: ViewContext }) => {
  const document = createOpenApi({ url: context.origin, isPlaced: false }, toExampleFixtures(context))
  const operations = listOperations(document)
  const asked = context.param('operation')
  const chosen = operations.find(({ operation }) => operation.operationId === asked) ?? operations[0]
  const tags = document.tags.filter(({ name }) => operations.some(({ operation }) => operation.tags.includes(name)))
  return (
    <>
      <div class="head-line">
        <h1>Contract</h1>
        <div class="tools">
          <a class="button" href={context.place.toApi('/openapi.json')} download="openapi.json">
            OpenAPI
          </a>
        </div>
      </div>
      <Unknown kind="operation" name={asked} known={operationIds} />
      <div class="contract">
        <nav class="operations card flush" aria-label="Operations">
          {tags.map(({ name, description }) => (
            <>
              <h2 title={description}>{name}</h2>
              <ul>
                {operations
                  .filter(({ operation }) => operation.tags.includes(name))
                  .map((placed) => (
                    <Line context={context} placed={placed} chosen={chosen?.operation.operationId ?? ''} />
                  ))}
              </ul>
            </>
          ))}
        </nav>
        {chosen !== undefined && <OperationDetail context={context} document={document} placed={chosen} />}
      </div>
    </>
  )
}
