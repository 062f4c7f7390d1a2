import { holdAnswer, holdRefusal } from '../answers.ts'
import { Stop } from '../bench.ts'
import { compare } from '../fault.ts'
import type { Examine } from '../world.ts'
import { examineBearer } from './bearer.ts'

/** Specification 4.14. */
export const getAction: Examine<'getAction'> = async (bench, world) => {
  holdAnswer(bench, 'getAction', await world.provider.send('getAction'), 200)
  await examineBearer(bench, 'getAction', {}, world)
}

/** Specification 4.14. What the payload was before is put back at the end. */
export const postAction: Examine<'postAction'> = async (bench, world) => {
  const operation = 'postAction'
  const { provider, ledger, run } = world
  const before = await provider.send('getAction')
  if (before.status !== 200 || before.unreadable !== undefined) {
    throw new Stop('the payload that is there cannot be read, so that it could not be restored')
  }
  // As text: what stands there is put back to the letter.
  const restoring = { headers: { 'Content-Type': 'application/json' }, body: before.text }
  await examineBearer(bench, operation, restoring, world)

  ledger.undo(async (later) => {
    const { status } = await later.send(operation, restoring)
    return status === 200 ? undefined : `The action payload could not be restored: ${status}. It was: ${before.text}`
  })
  const json = { verify: run, count: 9_007_199_254_740_993n }
  const answer = await provider.send(operation, { json })
  if (!holdAnswer(bench, operation, answer, 200)) return
  bench.hold('kept', compare(answer, [], json, answer.body))
  const got = await provider.send('getAction')
  if (got.status === 200) bench.hold('kept', compare(got, [], json, got.body))
}

/** Specification 4.15. */
export const getActionWithExample: Examine<'getActionWithExample'> = async (bench, world) => {
  const operation = 'getActionWithExample'
  holdAnswer(bench, operation, await world.provider.send(operation), 200)
  await examineBearer(bench, operation, {}, world)
}

/** Specification 4.16. */
export const getActionWithHeaders: Examine<'getActionWithHeaders'> = async (bench, world) => {
  const operation = 'getActionWithHeaders'
  const { provider } = world
  const headers = { Accept: 'application/json', 'Storefront-Locale': 'de-DE' }
  holdAnswer(bench, operation, await provider.send(operation, { headers }), 200)
  holdRefusal(bench, 'locale', await provider.send(operation, { headers: { Accept: headers.Accept } }), 400)
  const wrong = { ...headers, 'Storefront-Locale': 'not a locale' }
  holdRefusal(bench, 'locale', await provider.send(operation, { headers: wrong }), 400)
  const html = { ...headers, Accept: 'text/html' }
  holdRefusal(bench, 'accept', await provider.send(operation, { headers: html }), 406)
  await examineBearer(bench, operation, { headers }, world)
}
