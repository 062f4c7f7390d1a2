import { endpoints, isOperation } from '../../contract/endpoints.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { stringifyJson } from '../../http/json.ts'
import type { OpenApiDocument } from '../../openapi/document.ts'
import type { ParameterObject } from '../../openapi/schemas.ts'
import { parametersOf, toTypeText } from '../contract-document.ts'
import type { PlacedOperation } from '../contract-document.ts'
import { fieldOf, findProblem, toSentence } from '../notice.ts'
import type { Notice } from '../notice.ts'
import { Editor } from '../parts/editor.tsx'
import { Fault } from '../parts/fault.tsx'
import { toPrettyText } from '../pretty.ts'
import { findEntry } from '../rows.ts'
import type { ViewContext } from '../view-context.ts'
import { ExchangeDetail } from './exchange.tsx'

interface TryProps {
  readonly context: ViewContext
  readonly document: OpenApiDocument
  readonly placed: PlacedOperation
}

const SCOPES = ['view_test', 'manage_test', 'manage_products', 'manage_project'] as const

/** Headers that the dashboard sets itself or leaves out. */
const isOwn = ({ name }: ParameterObject): boolean => name === 'X-Correlation-ID' || name.startsWith('X-Mock-')

/** A family of query parameters; each line of its field names one, such as `text.en=table`. */
const isFamily = ({ name, in: where }: ParameterObject, endpoint: Endpoint): boolean =>
  where === 'query' && Object.hasOwn(endpoint.families, name)

/** The name of a parameter's field in the form. */
const toFieldId = (parameter: ParameterObject, endpoint: Endpoint): string =>
  `${isFamily(parameter, endpoint) ? 'family' : parameter.in}.${parameter.name}`

/** What was wrong with a field, shown below it. */
const FieldFault = ({ notice, id }: { readonly notice: Notice | undefined; readonly id: string }) => {
  const problem = findProblem(notice, id)
  return problem === undefined ? null : <Fault id={`${id}-fault`} sentence={toSentence(problem)} />
}

interface FieldProps {
  readonly context: ViewContext
  readonly parameter: ParameterObject
  readonly endpoint: Endpoint
}

/** Headers that OpenAPI leaves to the types of bodies (OpenAPI 3.1.0, section 4.8.12.2). */
const listUnlisted = ({ headers, body }: Endpoint, listed: readonly ParameterObject[]): readonly ParameterObject[] =>
  Object.keys(headers)
    .filter((name) => body === undefined && !listed.some((one) => one.name === name))
    .map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' }, example: 'application/json' }))

const Field = ({ context, parameter, endpoint }: FieldProps) => {
  const { name, in: where, schema, required = false, example } = parameter
  const id = toFieldId(parameter, endpoint)
  const isFilled = required || where === 'path'
  const first = isFilled && typeof example === 'string' ? example : ''
  // Repeatable parameters have one value per line.
  const isMany = isFamily(parameter, endpoint) || toTypeText(schema).startsWith('array')
  const isWrong = findProblem(context.notice, id) !== undefined
  const hint = typeof example === 'string' ? example : stringifyJson(example)
  return (
    <div class="field">
      <label for={id}>
        {name} <span class="quiet">{where === 'path' ? 'path' : toTypeText(schema)}</span>
      </label>
      {isMany ? (
        <textarea
          id={id}
          name={id}
          rows={1}
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={isWrong ? `${id}-fault` : undefined}
          placeholder={isFamily(parameter, endpoint) ? `${name}.name=value` : hint}
        >
          {fieldOf(context.notice, id, first)}
        </textarea>
      ) : (
        <input
          id={id}
          name={id}
          value={fieldOf(context.notice, id, first)}
          required={isFilled}
          placeholder={hint}
          autocomplete="off"
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={isWrong ? `${id}-fault` : undefined}
        />
      )}
      <FieldFault notice={context.notice} id={id} />
    </div>
  )
}

/** The scopes of the token. */
const Token = ({ context: { notice }, endpoint }: { readonly context: ViewContext; readonly endpoint: Endpoint }) => {
  const sent = notice !== undefined && 'fields' in notice && notice.fields.has('try') ? notice.fields : undefined
  const needed: readonly string[] = endpoint.scopes === 'anyToken' ? ['view_test'] : endpoint.scopes.slice(0, 1)
  const wanted = sent?.getAll('scope') ?? needed
  const choice = fieldOf(notice, 'token', 'scopes')
  return (
    <fieldset class="token" aria-describedby={findProblem(notice, 'token') === undefined ? undefined : 'token-fault'}>
      <legend>Token</legend>
      <label>
        <input type="radio" name="token" value="scopes" checked={choice === 'scopes'} /> with these scopes
      </label>
      <div class="scopes">
        {SCOPES.map((scope) => (
          <label>
            <input type="checkbox" name="scope" value={scope} checked={wanted.includes(scope)} /> {scope}
          </label>
        ))}
      </div>
      <label>
        <input type="radio" name="token" value="any" checked={choice === 'any'} /> with all scopes
      </label>
      <label>
        <input type="radio" name="token" value="none" checked={choice === 'none'} /> none
      </label>
      <FieldFault notice={notice} id="token" />
    </fieldset>
  )
}

function findBodyExample({ operation: { requestBody } }: PlacedOperation): string {
  const [media] = Object.values(requestBody?.content ?? {})
  return media?.example === undefined ? '' : toPrettyText(stringifyJson(media.example) ?? '')
}

/** A form that sends a request of the operation, and the response. */
export const TryIt = ({ context, document, placed }: TryProps) => {
  const { operationId } = placed.operation
  if (!isOperation(operationId)) return null
  const endpoint: Endpoint = endpoints[operationId]
  const listed = parametersOf(document, placed.operation).filter((one) => !isOwn(one))
  const parameters = [...listed, ...listUnlisted(endpoint, listed)]
  const needed = parameters.filter(({ in: where, required }) => where !== 'query' || required === true)
  const others = parameters.filter((one) => !needed.includes(one))
  const sent = context.param('request')
  const here = context.place.to('contract', { operation: operationId })
  return (
    <section class="card try" aria-label="Try it">
      <h3>Try it</h3>
      <form
        method="post"
        action={here}
        enctype={endpoint.body?.kind === 'image' ? 'multipart/form-data' : undefined}
        class="stack-wide"
        data-act
      >
        <input type="hidden" name="try" value={operationId} />
        {needed.map((parameter) => (
          <Field context={context} parameter={parameter} endpoint={endpoint} />
        ))}
        {others.length > 0 && (
          <details
            class="more"
            open={others.some((one) => fieldOf(context.notice, toFieldId(one, endpoint), '') !== '')}
          >
            <summary>
              {others.length} query {others.length === 1 ? 'parameter' : 'parameters'}
            </summary>
            {others.map((parameter) => (
              <Field context={context} parameter={parameter} endpoint={endpoint} />
            ))}
          </details>
        )}
        {endpoint.body?.kind === 'json' && (
          <Editor
            id="body"
            label="Body"
            text={fieldOf(context.notice, 'body', findBodyExample(placed))}
            problem={undefined}
            mostLines={16}
          />
        )}
        {endpoint.body?.kind === 'image' && (
          <div class="field">
            <label for="content-type">Content-Type</label>
            <select id="content-type" name="header.Content-Type">
              <option value="">from the file</option>
              {endpoint.body.contentTypes.map((type) => (
                <option selected={type === fieldOf(context.notice, 'header.Content-Type', '')}>{type}</option>
              ))}
            </select>
          </div>
        )}
        {endpoint.body?.kind === 'image' && (
          <div class="field">
            <label for="body">Image file</label>
            <input id="body" name="body" type="file" accept={endpoint.body.contentTypes.join(',')} required />
            <FieldFault notice={context.notice} id="body" />
            <span class="quiet">
              An upload adds an image and raises the version of its resource. It cannot be undone: to go back later,
              take a snapshot under Data first.
            </span>
          </div>
        )}
        <Token context={context} endpoint={endpoint} />
        <div class="row-of">
          <button class="button primary">Send {placed.method}</button>
          <span class="quiet">Sent to this session and listed under Requests.</span>
        </div>
      </form>
      {sent !== '' && (
        <div class="tried" id="tried">
          <ExchangeDetail context={context} entry={findEntry(context, sent)} close={here} />
        </div>
      )}
    </section>
  )
}
