import assert from 'node:assert/strict'
import { join } from 'node:path'
import { RIVAL, signIn, startContender } from './contenders.js'
import { measureRound, summarize } from './measure.js'
import { writeSeed } from './seed.js'

const ask = async ({ contender: { url }, job: { headers, load } }) => {
  const response =
    load.kind === 'create'
      ? await fetch(url + load.path, { method: 'POST', headers, body: JSON.stringify(load.body) })
      : await fetch(url + load.paths[0], { headers })
  return `${response.status} ${await response.text()}`
}

/** The contenders' responses must be identical to the byte; otherwise their speeds are not comparable. */
async function assertSameAnswers(entrants) {
  const [expected, actual] = await Promise.all(entrants.map(ask))
  assert.equal(actual, expected, 'The responses of the contenders differ.')
}

/** The baseline cannot issue tokens, and gets the mock's, so that both read the same headers. */
async function toEntrants(started, { connections, seconds }) {
  const fromMock = await signIn(started.at(-1).contender.url)
  return Promise.all(
    started.map(async ({ contender, load }) => {
      const headers = contender.name === 'resource-mock' ? await signIn(contender.url) : fromMock
      return { contender, job: { headers, connections, seconds: Math.min(seconds, load.maxSeconds ?? seconds), load } }
    }),
  )
}

/** One round, from the start of the contenders to their end. */
async function runRound(planned, how, isTurned) {
  const started = []
  try {
    for (const { name, flags, fixtures, load, nodeOf } of planned) {
      started.push({ contender: await startContender(name, fixtures, flags, [], nodeOf), load })
    }
    const entrants = await toEntrants(started, how)
    if (planned.every(({ name }) => name !== RIVAL)) await assertSameAnswers(entrants)
    return await measureRound(entrants, isTurned)
  } finally {
    await Promise.all(started.map(({ contender }) => contender.stop()))
  }
}

/**
 * Loads two contenders in turn, A B B A A B …, each with its planned number of resources. Each round restarts them: memory
 * layout and compiled code vary by chance between processes, and make a difference of a tenth.
 *
 * @param {readonly { name: string, flags?: readonly string[], nodeOf?: string, resources: number, load: object }[]}
 * planned the second one is the mock
 * @param {{ folder: string, connections: number, rounds: number, seconds: number }} how the folder is for the seeds
 * @returns {Promise<ReturnType<typeof summarize>>} in the order of the plan
 */
export async function compare(planned, how) {
  const seeded = []
  for (const { resources, ...one } of planned) {
    const fixtures = join(how.folder, String(resources))
    await writeSeed(fixtures, resources)
    seeded.push({ ...one, fixtures })
  }
  const rounds = []
  for (let round = 0; round < how.rounds; round += 1) rounds.push(await runRound(seeded, how, round % 2 === 1))
  return summarize(rounds)
}
