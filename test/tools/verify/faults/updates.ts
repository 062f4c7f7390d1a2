import { stringifyJson } from '../../../../src/service/http/json.ts'
import {
  bendAnswers,
  bendRequests,
  insteadOfRefusal,
  operationOf,
  readJson,
  refusing,
  withHeaders,
  withJson,
} from '../bends.ts'
import type { Bend } from '../bends.ts'
import type { SeededFault } from './fault.ts'

const NOTHING = [{ action: 'doSomeThing' }]

/** Accepts an update that the mock refuses, as a no-op. */
const accepting = (status: number, isMeant: (text: string) => boolean): Bend =>
  insteadOfRefusal('updateResource', status, async (request, { errors }) => {
    if (!isMeant(await request.clone().text())) return undefined
    const answer = await withJson(request, (body) => {
      body['version'] = errors[0]?.['currentVersion'] ?? Number(body['version'])
      body['actions'] = NOTHING
    })
    return answer
  })

/** Applies the valid action of a request that is refused for its second one. */
const applyingSome =
  (second: string): Bend =>
  (fetch) =>
  async (request) => {
    const answer = await fetch(request.clone())
    const isMeant = operationOf(request) === 'updateResource' && answer.status === 400
    if (!isMeant || !(await request.clone().text()).includes(`half done"},{"action":"${second}"}`)) return answer
    const first = await withJson(request, (body) => {
      if (Array.isArray(body['actions'])) body['actions'].length = 1
    })
    await fetch(first)
    return answer
  }

const faults: readonly SeededFault[] = [
  ['a version too low is taken', accepting(409, (text) => text.includes('"stale"')), ['updateResource/stale-version']],
  [
    'a stale version is taken without an action',
    accepting(409, (text) => text.includes('"actions":[]')),
    ['updateResource/stale-without-actions'],
  ],
  [
    'a conflict without currentVersion',
    bendAnswers('updateResource', ({ body }) => delete body.errors[0]?.['currentVersion'], 409),
    ['updateResource/current-version'],
  ],
  [
    'a conflict that is 412',
    bendAnswers('updateResource', (bent) => (bent.status = 412), 409),
    ['updateResource/stale-version', 'updateResource/version-second'],
  ],
  [
    'a conflict that names the version that was sent',
    bendAnswers(
      'updateResource',
      async ({ body }, request) => {
        for (const error of body.errors) error['currentVersion'] = (await readJson(request))['version']
      },
      409,
    ),
    ['updateResource/current-version'],
  ],
  [
    'an unknown action is seen before the version',
    refusing('updateResource', (_, text) => text.includes('"actions":[{"action":"noSuchAction"}]')),
    ['updateResource/version-second'],
  ],
  [
    'the version is compared before the body is read',
    (fetch) => async (request) => {
      const answer = await fetch(request.clone())
      const isMeant = (await request.clone().text()).includes('"actions":"none"')
      return operationOf(request) === 'updateResource' && isMeant ? Response.json({}, { status: 409 }) : answer
    },
    ['updateResource/shape-first'],
  ],
  [
    'a member of the wrong type is seen after the version',
    (fetch) => async (request) => {
      const text = operationOf(request) === 'updateResource' ? await request.clone().text() : ''
      return text.includes('"someProperty":5') ? Response.json({}, { status: 409 }) : fetch(request)
    },
    ['updateResource/shape-first', 'updateResource/body-refused'],
  ],
  [
    'an update applies the actions before an unknown one',
    applyingSome('noSuchAction'),
    ['updateResource/unknown-action'],
  ],
  [
    'an update applies the actions before an incomplete one',
    applyingSome('changeSomeProperty'),
    ['updateResource/incomplete-action'],
  ],
  [
    'an unknown action is passed over',
    accepting(400, (text) => text.includes('noSuchAction')),
    ['updateResource/unknown-action'],
  ],
  [
    'an unknown action has another code',
    bendAnswers(
      'updateResource',
      ({ body }) => Object.assign(body.errors[0] ?? {}, { code: 'InvalidJsonInput', detailedErrorMessage: 'a' }),
      400,
    ),
    ['updateResource/envelope'],
  ],
  ['any number of actions is taken', accepting(400, (text) => text.length > 501 * 24), ['updateResource/many-actions']],
  [
    '100 actions at most',
    refusing('updateResource', (_, text) => text.length > 100 * 24),
    ['updateResource/many-actions'],
  ],
  [
    'each action raises the version',
    bendAnswers('updateResource', async ({ body }, request) => {
      const { actions } = await readJson(request)
      body['version'] = Number(body['version']) + Math.max(0, (Array.isArray(actions) ? actions.length : 1) - 1)
    }),
    ['updateResource/version-grows', 'updateResource/many-actions'],
  ],
  [
    'doSomeThing does not count',
    bendRequests('updateResource', async (request) =>
      (await request.clone().text()).endsWith('"actions":[{"action":"doSomeThing"}]}')
        ? withJson(request, (body) => (body['actions'] = []))
        : request,
    ),
    ['updateResource/does-something'],
  ],
  [
    'no action counts',
    bendRequests('updateResource', (request) =>
      withJson(request, (body) => {
        if ('version' in body && stringifyJson(body['actions']) === '[]') body['actions'] = NOTHING
      }),
    ),
    ['updateResource/no-actions'],
  ],
  [
    'actions are applied backwards',
    bendRequests('updateResource', (request) =>
      withJson(request, ({ actions }) => {
        if (Array.isArray(actions)) actions.reverse()
      }),
    ),
    ['updateResource/action-order'],
  ],
  [
    'an update loses an array',
    bendAnswers('updateResource', ({ body }) => delete body.objectTypeProperty['arrayOfFloatExample']),
    ['updateResource/keeps-content'],
  ],
  [
    'a version as text is taken',
    accepting(400, (text) => text.includes('"version":"')),
    ['updateResource/body-refused'],
  ],
  [
    'an action without a name is taken',
    accepting(400, (text) => text.includes('[{"someProperty"')),
    ['updateResource/body-refused'],
  ],
  [
    'an action that is a text is taken',
    accepting(400, (text) => text.includes('["doSomeThing"]')),
    ['updateResource/body-refused'],
  ],
  [
    'missing actions are none',
    accepting(400, (text) => /^\{"version":\d+\}$/.test(text)),
    ['updateResource/body-refused'],
  ],
  [
    'an unknown id is 400',
    bendAnswers('updateResource', (bent) => (bent.status = 400), 404),
    ['updateResource/not-found'],
  ],
  [
    'an ETag of the version before',
    bendAnswers('updateResource', ({ headers, body }) => headers.set('ETag', `"${Number(body['version']) - 1}"`)),
    ['updateResource/etag'],
  ],
  [
    'a Location of the collection',
    bendAnswers('updateResource', ({ headers }) => headers.set('Location', '/acme/resource')),
    ['updateResource/location'],
  ],
  [
    'null is an update',
    bendAnswers(
      'updateResource',
      async (bent, request) => (await request.text()) === 'null' && (bent.status = 200),
      400,
    ),
    ['updateResource/broken-json'],
  ],
  [
    'unknown members are refused',
    refusing('updateResource', (_, text) => text.includes('verifyUnknown')),
    ['updateResource/unknown-member'],
  ],
  [
    'no gzip',
    refusing('updateResource', ({ headers }) => headers.has('Content-Encoding'), 415),
    ['updateResource/gzip'],
  ],
  [
    'a text is read as JSON',
    insteadOfRefusal('updateResource', 415, (request) => withHeaders(request, { 'Content-Type': 'application/json' })),
    ['updateResource/media-type'],
  ],
]

export const updates: readonly SeededFault[] = faults.map(([what, bend, finds]) => [
  `updateResource: ${what}`,
  bend,
  finds,
])
