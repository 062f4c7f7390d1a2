import { admitsType } from '../http/envelope.ts'
import { TextResource, toArrayTestType } from '../state/resource.ts'
import { decision } from '../contract/decisions.ts'
import { problem } from '../../errors.ts'
import { stringifyJson } from '../http/json.ts'
import { deletionAnswer, writeAnswer, expectPreconditions, expectResource, expectVersion } from './reads.ts'
import type { Context, Operation } from './reads.ts'
import { check, warnOfUnknown } from '../contract/check.ts'
import { actionNames, localePattern, updateAction } from '../contract/models.ts'
import type { Warn } from '../contract/check.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { endpoints } from '../contract/endpoints.ts'
import { checkImage } from '../http/image.ts'
import type { StoredContent, StoredImage, StoredResource } from '../state/resource.ts'
import type { Input, UpdateAction } from '../contract/types.ts'
import type { Project } from '../state/project.ts'

/** What an update changes. New content also discards the staged projection (D50). */
interface Changes {
  readonly someProperty?: string
  readonly content?: StoredContent
}

/**
 * Stores the next version of a resource: applies the changes, increments the version by 1 (D7), and updates the
 * modification time.
 *
 * @throws {Problem} 409 if another write changed the resource first, 400 if the next version would exceed 2^53 - 1.
 */
export function revise(
  resource: StoredResource,
  { someProperty = resource.someProperty, content = resource }: Changes,
  { project, now }: Context,
): StoredResource {
  const { id, key, createdAt } = resource
  const version = resource.version + 1
  if (!Number.isSafeInteger(version)) {
    throw problem.invalidInput(
      `Version ${resource.version} is the largest that JSON clients read exactly, so the resource has no next version. Set a smaller one with PUT /__admin/state/{projectKey}/resources/{id}.`,
    )
  }
  const staged = content === resource ? resource.staged : undefined
  const next = new TextResource({ id, key, version, createdAt, lastModifiedAt: now(), someProperty, staged }, content)
  project.replace(resource, next)
  return next
}

type Draft = Input<'createResource' | 'putResource' | 'overwriteResource'>['body']

function takeContent({ objectTypeProperty }: Draft, warn: Warn): StoredContent {
  const property = toArrayTestType(objectTypeProperty)
  // D1: warns if an array contradicts its name; `--strict` rejects the request.
  const { arrayOfUniqueIntExample: unique, arrayOfTwonumbersExample: two } = property
  if (unique !== undefined && new Set(unique.map(String)).size < unique.length)
    warn(decision('D1'), 'objectTypeProperty.arrayOfUniqueIntExample must contain unique numbers, but repeats one.')
  if (two !== undefined && two.length !== 2)
    warn(decision('D1'), `objectTypeProperty.arrayOfTwonumbersExample must contain two numbers, but has ${two.length}.`)
  return { objectTypeProperty: property, propertyText: stringifyJson(property) }
}

function create(draft: Draft, context: Context): StoredResource {
  const at = context.now()
  const head = { id: context.newId(), key: draft.key, version: 1, createdAt: at, lastModifiedAt: at }
  const resource = new TextResource(head, takeContent(draft, context.warn))
  context.project.insert(resource)
  return resource
}

/** Overwrites both projections (D50). */
const overwrite = (resource: StoredResource, draft: Draft, context: Context): StoredResource =>
  revise(resource, { content: takeContent(draft, context.warn) }, context)

/** D15: the resource with the draft's key, or the most recently written one if the draft has no key. */
const findAddressed = ({ key }: Draft, { project }: Context): StoredResource | undefined =>
  key === undefined ? project.findLatest() : project.findByKey(key)

/** Specification 4.6: a draft with an existing key updates that resource instead (D15). */
export const createResource: Operation<'createResource'> = ({ body, headers }, context) => {
  const known = body.key === undefined ? undefined : context.project.findByKey(body.key)
  expectPreconditions(known, headers)
  const resource = known === undefined ? create(body, context) : overwrite(known, body, context)
  return writeAnswer(201, resource, context)
}

/** Specification 4.8: creates the resource if there is nothing to overwrite (D15). */
export const putResource: Operation<'putResource'> = ({ body, headers }, context) => {
  const known = findAddressed(body, context)
  expectPreconditions(known, headers)
  const resource = known === undefined ? create(body, context) : overwrite(known, body, context)
  return writeAnswer(201, resource, context)
}

/** Specification 4.7: 404 if there is nothing to overwrite (D15). */
export const overwriteResource: Operation<'overwriteResource'> = ({ body, headers }, context) => {
  const known = findAddressed(body, context)
  if (known === undefined) {
    throw body.key === undefined
      ? problem.notFound('The project has no resource to overwrite. Create one first: POST /{projectKey}/resource.')
      : problem.resourceNotFound('key', body.key)
  }
  expectPreconditions(known, headers)
  return writeAnswer(201, overwrite(known, body, context), context)
}

/** Specification 4.11: checks the version only if it is sent (D19). */
export const deleteResource: Operation<'deleteResource'> = ({ path: { id }, query: { version }, headers }, context) => {
  const resource = expectResource(id, context)
  expectPreconditions(resource, headers)
  if (version !== undefined) expectVersion(resource, version)
  context.project.remove(resource)
  return deletionAnswer(resource, context)
}

/** D18: rejects unknown and incomplete actions. */
export function parseAction(action: { readonly action: string }, at: number, warn: Warn): UpdateAction {
  if (!actionNames.some((name) => name === action.action)) {
    const path = `actions[${at}]`
    throw problem.invalidInput(
      `${path}.action: unknown action "${action.action.slice(0, 200)}".${didYouMean(action.action, actionNames)} Known actions: ${actionNames.join(', ')}.`,
      { field: `${path}.action`, invalidValue: action.action.slice(0, 200), allowedValues: actionNames },
    )
  }
  const checked = check(updateAction, action, ['actions', at])
  const [first, ...others] = checked.problems
  if (first !== undefined) throw problem.invalidRequest([first, ...others])
  warnOfUnknown(warn, checked, 'the body')
  return action as UpdateAction
}

/** Applies an action. `doSomeThing` increments the version, but changes nothing else (D18). */
function applyAction(changes: Changes, action: UpdateAction): Changes {
  return action.action === 'changeSomeProperty' ? { ...changes, someProperty: action.someProperty } : changes
}

/**
 * Specification 4.10. The decoder has already checked the body's shape. Checks the version, then applies the actions in
 * order, all or none (D18). Without actions, nothing changes (D7).
 */
export const updateResource: Operation<'updateResource'> = ({ path: { id }, body, headers }, context) => {
  const resource = expectResource(id, context)
  expectPreconditions(resource, headers)
  expectVersion(resource, body.version)
  const actions = body.actions.map((action, at) => parseAction(action, at, context.warn))
  if (actions.length === 0) return writeAnswer(200, resource, context)
  return writeAnswer(200, revise(resource, actions.reduce(applyAction, {}), context), context)
}

/** Specification 4.14: stores any JSON as the project's action payload and returns it; an empty body is `{}` (D22). */
export const postAction: Operation<'postAction'> = ({ text }, { project }) => {
  project.action = text === '' ? '{}' : text
  return { status: 200, body: project.action }
}

/** Specification 4.14: returns the last payload (D22). */
export const getAction: Operation<'getAction'> = (_input, { project }) => ({ status: 200, body: project.action })

/** Specification 4.15: returns the cart from the fixtures (D23). */
export const getActionWithExample: Operation<'getActionWithExample'> = (_input, { fixtures }) => ({
  status: 200,
  body: fixtures.carts.get('') ?? '{}',
})

/** A Unicode extension, which only says how to format values (RFC 6067). */
const UNICODE_EXTENSION = /-u(?:-[a-z\d]{2,8})+/

/** The language ranges of a look-up, from the most specific to the language alone (RFC 4647, section 3.4). */
function* toRanges(locale: string): Generator<string> {
  let range = locale.replace(UNICODE_EXTENSION, '')
  while (range !== '') {
    yield range
    // A subtag of one character introduces others, so it is removed together with the last of them.
    range = range.replace(/(?:^|-)(?:[a-z\d]-)?[a-z\d]+$/, '')
  }
}

/** Finds a cart by the look-up of its locale, then by its language, then the default cart, which has none (D23). */
function findCart(carts: ReadonlyMap<string, string>, locale: string): { name: string; text: string } {
  const names = new Map(Array.from(carts.keys(), (name) => [name.toLowerCase(), name]))
  const ranges = [...toRanges(locale)]
  const sameLanguage = [...names.keys()].find((name) => name.startsWith(`${ranges.at(-1)}-`))
  const found = [...ranges, sameLanguage ?? ''].find((range) => names.has(range)) ?? ''
  const name = names.get(found) ?? ''
  return { name, text: carts.get(name) ?? '{}' }
}

/**
 * Returns the requested locale of a cart in lower case, with `-` between its subtags.
 *
 * @throws {Problem} 400 for an invalid locale, 406 if the client does not accept JSON (D23).
 */
export function parseCartHeaders(headers: Input<'getActionWithHeaders'>['headers']): string {
  const requested = headers['Storefront-Locale']
  if (!localePattern.test(requested)) {
    throw problem.invalidField({
      field: 'Storefront-Locale',
      invalidValue: requested,
      message: `The header Storefront-Locale: ${JSON.stringify(requested.slice(0, 100))} is not a locale. Use one such as de-DE, de_DE or de.`,
    })
  }
  if (!admitsType(headers.Accept, 'application/json')) throw problem.notAcceptable(headers.Accept, ['application/json'])
  return requested.replaceAll('_', '-').toLowerCase()
}

/** Specification 4.16: returns the cart for the request's locale (D23). */
export const getActionWithHeaders: Operation<'getActionWithHeaders'> = ({ headers }, { fixtures }) => {
  const { name, text } = findCart(fixtures.carts, parseCartHeaders(headers))
  const language: Readonly<Record<string, string>> = name === '' ? {} : { 'Content-Language': name }
  return { status: 200, body: text, headers: { ...language, Vary: 'Storefront-Locale' } }
}

/** Finds the resource for an upload: by sku, else by variant number, else the most recently written one (D21). */
function findVariant({ sku, variant }: Input<'uploadImage'>['query'], project: Project): StoredResource {
  if (sku !== undefined) {
    const resource = project.findByKey(sku)
    if (resource === undefined) throw problem.resourceNotFound('key', sku)
    return resource
  }
  if (variant !== undefined && project.size > 0) {
    const resource = project.nth(Number(variant))
    if (resource !== undefined) return resource
    throw problem.notFound(
      `Variant ${variant} does not exist. Variants are numbered from 1, and the highest is ${project.size}. Send another number, or the key of a resource as sku.`,
    )
  }
  const resource = project.findLatest()
  if (resource === undefined) {
    throw problem.notFound(
      'The project has no resource to add the image to. Create one first: POST /{projectKey}/resource.',
    )
  }
  return resource
}

/** Specification 4.13: stores the image and increments the resource's version (D21, D7). */
export const uploadImage: Operation<'uploadImage'> = ({ query, headers, body }, context) => {
  const declared = headers['Content-Type'].split(';')[0]?.trim().toLowerCase()
  const type = endpoints.uploadImage.body.contentTypes.find((one) => one === declared)
  if (type === undefined)
    throw problem.unsupportedMediaType(headers['Content-Type'], endpoints.uploadImage.body.contentTypes)
  const size = checkImage(body, type)
  const { project, projectKey } = context
  const owner = findVariant(query, project)
  expectPreconditions(owner, headers)
  const { filename, sku, variant, staged } = query
  const createdAt = context.now()
  const image: StoredImage = {
    id: context.newId(),
    projectKey,
    resourceId: owner.id,
    type,
    ...size,
    bytes: body,
    ...(filename === undefined ? {} : { filename }),
    ...(sku === undefined ? {} : { sku }),
    ...(variant === undefined ? {} : { variant: Number(variant) }),
    ...(staged === undefined ? {} : { staged }),
    createdAt,
  }
  // Two changes: either both fit, or neither is made.
  project.expectRoomForImage(image, owner)
  const resource = revise(owner, {}, { ...context, now: () => createdAt })
  project.addImage(image)
  return writeAnswer(200, resource, context)
}

/**
 * Specification 4.9: 201 when a body id is first posted to a path, then 200 (D16). 203 is only returned if the request
 * prefers it or a scenario sends it.
 */
export const postComplex: Operation<'postComplex'> = ({ path, body }, { project, fixtures }) => {
  const wasPosted =
    body.id !== undefined && project.notePosted(JSON.stringify([path.uriParameterOne, path.uriParameterTwo, body.id]))
  return { status: wasPosted ? 200 : 201, body: fixtures.arrayTestType }
}
