import { DecisionList } from '../parts/decision-list.tsx'
import { endpoints, isOperation } from '../../contract/endpoints.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { stringifyJson } from '../../http/json.ts'
import type { OpenApiDocument } from '../../openapi/document.ts'
import { listSchemas, parametersOf, responsesOf, toTypeText } from '../contract-document.ts'
import type { PlacedOperation } from '../contract-document.ts'
import { Code } from '../parts/code.tsx'
import { Method, Status } from '../parts/status.tsx'
import type { ViewContext } from '../view-context.ts'
import { TryIt } from './try-it.tsx'

interface OperationProps {
  readonly context: ViewContext
  readonly document: OpenApiDocument
  readonly placed: PlacedOperation
}

const Parameters = ({ document, placed }: Omit<OperationProps, 'context'>) => (
  <section>
    <h3>Parameters</h3>
    <div class="scroll" tabindex={0} role="region" aria-label="Parameters">
      <table>
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {parametersOf(document, placed.operation).map(
            ({ name, in: where, schema, required, description, 'x-decision': decision }) => (
              <tr>
                <th scope="row">
                  <code>{name}</code>
                  {required === true && <span class="tag">required</span>}
                  <span class="quiet">
                    {where}, {toTypeText(schema)}
                  </span>
                </th>
                <td>
                  <Prose text={description ?? ''} />{' '}
                  {decision !== undefined && <span class="quiet">{toDecisionText(decision)}</span>}
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  </section>
)

/** The decision number in `x-decision`, such as `D10`. */
const toDecisionText = (decision: unknown): string => /D\d+/g.exec(stringifyJson(decision))?.[0] ?? ''

const Responses = ({ document, placed }: Omit<OperationProps, 'context'>) => (
  <section>
    <h3>Responses</h3>
    <ul class="responses">
      {responsesOf(document, placed.operation).map(([status, { description, content = {} }]) => {
        const [media] = Object.values(content)
        const named = Object.entries(media?.examples ?? {}).map(([name, { value }]) => [name, value] as const)
        const examples = media?.example === undefined ? named : [['Example', media.example] as const, ...named]
        return (
          <li>
            <p class="response-line">
              <Status status={Number(status)} />{' '}
              <span>
                <Prose text={description} />
              </span>
              {media !== undefined && <code>{toTypeText(media.schema)}</code>}
            </p>
            {examples.map(([name, value]) => (
              <details>
                <summary>
                  {name}
                  <span class="sr"> of {status}</span>
                </summary>
                <Code text={stringifyJson(value) ?? ''} label={`${name} of ${status}`} />
              </details>
            ))}
          </li>
        )
      })}
    </ul>
  </section>
)

const SchemaList = ({ document, placed }: Omit<OperationProps, 'context'>) => (
  <section>
    <h3>Schemas</h3>
    {listSchemas(document, [placed.operation.requestBody, responsesOf(document, placed.operation)]).map((name) => (
      <details>
        <summary>{name}</summary>
        <Code text={stringifyJson(document.components.schemas[name]) ?? ''} label={`Schema ${name}`} />
      </details>
    ))}
  </section>
)

/** One operation: the form to try it, parameters, responses and schemas. */
export const OperationDetail = ({ context, document, placed }: OperationProps) => {
  const { method, path, operation } = placed
  const { operationId, summary } = operation
  if (!isOperation(operationId)) return null
  const endpoint: Endpoint = endpoints[operationId]
  return (
    <article class="operation" aria-labelledby="operation-name">
      <header>
        <h2 id="operation-name">{summary}</h2>
        <p class="operation-path">
          <Method method={method} /> <code>{path}</code>
        </p>
        <p class="facts">
          <span>{operationId}</span>
          <span>section 4.{endpoint.number} of the specification</span>
          <span>
            {endpoint.scopes === 'anyToken'
              ? 'any valid token'
              : `scope ${endpoint.scopes.map((scope) => `${scope}:{projectKey}`).join(' or ')}`}
          </span>
        </p>
      </header>
      <div class="operation-columns">
        <div class="stack-wide">
          <TryIt context={context} document={document} placed={placed} />
        </div>
        <div class="stack-wide">
          <section>
            <h3>Where the specification is silent</h3>
            <DecisionList ids={endpoint.decisions} />
          </section>
          <Parameters document={document} placed={placed} />
          <Responses document={document} placed={placed} />
          <SchemaList document={document} placed={placed} />
        </div>
      </div>
    </article>
  )
}

/** Text of the OpenAPI document, in which Markdown's backticks hold code (OpenAPI 3.1.0, section 4.4.1). */
export const Prose = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>
)
