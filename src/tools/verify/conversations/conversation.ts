import { stringifyJson } from '../../../service/http/json.ts'

/** A query parameter. */
export type QueryParameter = readonly [name: string, value: string]
export type Query = readonly QueryParameter[]

/** How a request is authorized; by default with a token of all scopes of its project. */
export type StepAuthorization = 'none' | { readonly scope: string } | { readonly header: string }

/** What is special about a step; tolerances refer to it. */
export type StepTopic = 'free answer' | 'no image' | 'odd version'

/**
 * A request that is sent to the mock and to a service. In its texts, `{p}` and `{o}` are the two projects, `{k}` is the unique
 * id of the run, `{m}` a number that is unique to the run, and `{{name.member|change}}` is a value from an earlier answer.
 */
export interface ConversationStep {
  readonly method: string
  readonly path: string
  /** Parameters that limit the answer to the run's own resources. */
  readonly own?: Query
  readonly query?: Query
  /** An encoded query string, instead of `query`. */
  readonly search?: string
  /** null omits a default header. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** How the body's text is encoded, if not as UTF-8. */
  readonly charset?: 'latin1'
  readonly auth?: StepAuthorization
  /** The name under which the id, version and dates of the answer are saved. */
  readonly save?: string
  /** How often the request is sent, at the same time. */
  readonly times?: number
  /** Milliseconds to wait before the request. */
  readonly pause?: number
  readonly topic?: StepTopic
  /** Describes what the request line does not show: `gzip`. */
  readonly label?: string
}

/** Requests that are sent in order. */
export interface Conversation {
  readonly name: string
  /** Mismatches at the same position in conversations about the same thing have one cause. */
  readonly about: string
  /** The section of the specification or the decision that the answers rest on: `section 4.10`, `D18`. */
  readonly decision: string
  readonly steps: readonly ConversationStep[]
  /**
   * Sends PUT, PATCH or uploads, which may overwrite resources of others if a service ignores keys; `or-empty` if it can also be
   * held in a project without others, since it does not compare which resource was overwritten.
   */
  readonly needsKeys?: boolean | 'or-empty'
  /** Its steps are alike, so that a quick run sends some of them. */
  readonly isSampled?: boolean
  /** Depends on every resource of the project, so the project must have no others. */
  readonly needsEmptyProject?: boolean
}

/** JSON text with values that JSON.stringify would change: `bigint`, and {@link raw} text. */
export const json = (value: unknown): string =>
  stringifyJson(value).replace(/"\u2404((?:[^"\\]|\\.)*)"/g, (_, text: string) => JSON.parse(`"${text}"`) as string)

/** Text that is inserted into JSON unchanged: `1.0`, `{{a.version}}`. */
export const raw = (text: string): string => `\u2404${text}`

/** Splits a list that is written as a text: `a | b`. */
export const splitList = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' | '))

/** Splits parameters that are written as a text, without encoding: `where=version = 1&limit=7`. */
export const splitQuery = (text: string): Query =>
  (text.match(/[^&]+/g) ?? []).map((one) => {
    const at = one.indexOf('=')
    return [one.slice(0, at), one.slice(at + 1)]
  })

export const COLLECTION = '/{p}/resource'
export const OTHER_COLLECTION = '/{o}/resource'
export const SORTED_QUERY = `${COLLECTION}/sorted-query-parameters`
export const SEARCH_PATH = `${COLLECTION}/searchApiPattern`

/** The arrays of a resource, by name. */
export type Content = Readonly<Record<string, unknown>>

/** A content with all seven arrays. */
export const fullContent = (more: Content = {}): Content => ({
  arrayOfIntExample: [1, 2],
  arrayOfUniqueIntExample: [raw('{m}1')],
  arrayOfTwonumbersExample: [1, 2],
  arrayOfFloatExample: [1.5],
  arrayOfNumberNoDefaultsExample: [8.4],
  arrayOfStringExample: ['{k}'],
  arrayOfObjectType: [{ integerExample: 1, integerExampleInt32: 2 }],
  ...more,
})

/** A text that only a resource of the first project has. */
export const ONLY_HERE = '{k} only here'

export const ownKey = (name: string): string => `{k}-${name}`

/** The JSON text of a draft. */
export const draft = (key: unknown, more?: Content, extra?: object): string =>
  json({ key, objectTypeProperty: fullContent(more), ...extra })

export const get = (path: string, more?: Partial<ConversationStep>): ConversationStep => ({
  method: 'GET',
  path,
  ...more,
})
export const head = (path: string, more?: Partial<ConversationStep>): ConversationStep => ({
  method: 'HEAD',
  path,
  ...more,
})
export const post = (
  path: string,
  body: ConversationStep['body'],
  more?: Partial<ConversationStep>,
): ConversationStep =>
  body === undefined ? { method: 'POST', path, ...more } : { method: 'POST', path, body, ...more }
export const put = (body: string, more?: Partial<ConversationStep>): ConversationStep => ({
  method: 'PUT',
  path: COLLECTION,
  body,
  ...more,
})
export const patch = (body: string): ConversationStep => ({ method: 'PATCH', path: COLLECTION, body })
export const byId = (name: string, project = COLLECTION): string => `${project}/{{${name}.id}}`
/** The path of a resource's id in the other project, which does not have it. */
export const byIdElsewhere = (name: string): string => `${OTHER_COLLECTION}/{{${name}.id|elsewhere}}`
export const byKey = (name: string, project = COLLECTION): string => `${project}/key=${ownKey(name)}`
export const createStep = (name: string, more?: Content): ConversationStep =>
  post(COLLECTION, draft(ownKey(name), more), { save: name })
export const set = (someProperty: unknown): object => ({ action: 'changeSomeProperty', someProperty })
export const DO_SOMETHING = { action: 'doSomeThing' }

/** An updateStep; without a version, with the current one. */
export const updateStep = (name: string, version: unknown, actions: unknown): ConversationStep =>
  post(byId(name), json({ version: version ?? raw(`{{${name}.version}}`), actions }), { save: name })

export const deleteStep = (name: string, version?: string): ConversationStep => ({
  method: 'DELETE',
  path: byId(name),
  ...(version === undefined ? {} : { query: [['version', version]] }),
})

/** Lists resources by key, with all their members. */
export const listed = (...names: readonly string[]): ConversationStep =>
  get(SORTED_QUERY, { own: [['where', `key in (${names.map((name) => `"${ownKey(name)}"`).join(', ')})`]] })

export const conversation = (
  name: string,
  decision: string,
  steps: readonly ConversationStep[],
  more?: Partial<Conversation>,
): Conversation => ({ name, about: name, decision, steps, ...more })

/** A conversation for each step, all with one name. */
export const eachAlone = (
  name: string,
  decision: string,
  steps: readonly (ConversationStep & { readonly about?: string })[],
  more?: Partial<Conversation>,
): readonly Conversation[] =>
  steps.map(({ about = name, ...step }) => ({ name, about, decision, steps: [step], ...more }))

export const isSampled = { isSampled: true }
