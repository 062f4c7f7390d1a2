import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request as sendRequest } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { heldCases } from './held-cases.js'

const SERVER = fileURLToPath(new URL('servers/held.js', import.meta.url))

/** The longest time that a request may block the event loop, in milliseconds. */
export const GOAL = 100

/** The watchdog needs a moment to record the last block, in milliseconds. */
const REST = 50

/** A stream never ends: the client leaves it after this time, in milliseconds. */
const STREAM = 2000

/** @returns {Promise<{ kind: string, url?: string, milliseconds?: number }>} the next message of the served process */
async function nextMessage(child) {
  const [message] = await once(child, 'message')
  return message
}

/**
 * Sends one request unchanged, and reads its whole response.
 *
 * @returns {Promise<{ status: number, bytes: number, text: string }>} `text` is empty unless the request keeps it
 */
function send(url, { method = 'GET', path, headers = {}, body, isStream = false, isKept = false }) {
  return new Promise((resolve, reject) => {
    const request = sendRequest(url + path, {
      method,
      agent: false,
      headers: { Authorization: 'Bearer any', ...headers },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      let bytes = 0
      let text = ''
      const done = () => resolve({ status: response.statusCode, bytes, text })
      response.on('data', (chunk) => {
        bytes += chunk.length
        if (isKept) text += chunk
      })
      response.on('end', done)
      response.on('error', reject)
      if (isStream) setTimeout(() => (response.destroy(), done()), STREAM)
    })
    request.end(body)
  })
}

/**
 * Opens event streams and reads them.
 *
 * @returns {Promise<Promise<void>[]>} once all are open; each resolves with its first request
 */
function openStreams(url, count) {
  const open = () =>
    new Promise((resolve, reject) => {
      const request = sendRequest(`${url}/__admin/events`, { agent: false })
      request.on('error', reject)
      request.on('response', (response) => {
        const told = new Promise((told) => {
          response.on('data', (chunk) => {
            if (chunk.includes('event: request')) told()
          })
          response.on('end', told)
          // The mock stops while its streams are open.
          response.on('error', () => told())
        })
        resolve({ told })
      })
      request.end()
    })
  return Promise.all(Array.from({ length: count }, open)).then((streams) => streams.map(({ told }) => told))
}

/** Like {@link send}, for requests that prepare a case: if one is rejected, the case is not ready. */
async function seedWith(url, request) {
  const { status, text } = await send(url, request)
  if (request.answer === undefined ? status >= 400 : status !== request.answer)
    throw new Error(`${request.method ?? 'GET'} ${request.path.slice(0, 200)} was answered ${status}.`)
  return text
}

/** The id of the newest request in the journal. */
async function findNewest(url) {
  const answer = await fetch(`${url}/__admin/requests?limit=1`)
  const { requests } = await answer.json()
  return requests[0].request.id
}

/** Runs one case on its own mock. */
async function measureCase({ title, seed = [], filled = 0, streams = 0, request, atOnce = 1, answer }) {
  const child = fork(SERVER, filled === 0 ? [] : [String(filled)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  try {
    const { url } = await nextMessage(child)
    let known = ''
    for (const one of seed) known = (await seedWith(url, one)) || known
    const told = await openStreams(url, streams)
    await wait(REST)
    const newest = request.path?.includes('{id}') ? await findNewest(url) : ''
    child.send('reset')
    await nextMessage(child)
    await wait(REST)
    const asked = typeof request === 'function' ? request(known) : request
    const path = asked.path.replace('{id}', asked.path.includes('{id}') ? newest : '')
    const answers = await Promise.all(Array.from({ length: atOnce }, () => send(url, { ...asked, path })))
    for (const { status } of answers) {
      if (status !== answer) throw new Error(`"${title}" was answered ${status}, not ${answer}: it proves nothing.`)
    }
    await Promise.all(told)
    await wait(REST)
    child.send('read')
    const { milliseconds } = await nextMessage(child)
    return { title, milliseconds, status: answer, bytes: Math.max(...answers.map(({ bytes }) => bytes)) }
  } finally {
    child.kill('SIGKILL')
  }
}

/**
 * Sends every hostile request once, each to its own prepared mock.
 *
 * @param {string} [part] runs only the cases whose titles contain it
 * @returns {AsyncGenerator<{ title: string, milliseconds: number, status: number, bytes: number }>}
 */
export async function* measureHeld(part = '') {
  for (const one of heldCases) if (one.title.startsWith(part)) yield await measureCase(one)
}
