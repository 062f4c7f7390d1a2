import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request as sendRequest } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { heldCases } from './held-cases.js'

const SERVER = fileURLToPath(new URL('servers/held.js', import.meta.url))

/** The longest time that a request may block the event loop, in milliseconds. */
export const GOAL = 300

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
 * @param {boolean} [isStream] whether the response never ends
 * @returns {Promise<{ status: number, bytes: number }>}
 */
function send(url, { method = 'GET', path, headers = {}, body }, isStream = false) {
  return new Promise((resolve, reject) => {
    const request = sendRequest(url + path, {
      method,
      agent: false,
      headers: { Authorization: 'Bearer any', ...headers },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      let bytes = 0
      const done = () => resolve({ status: response.statusCode, bytes })
      response.on('data', (chunk) => (bytes += chunk.length))
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
  const { status } = await send(url, request)
  if (request.answer === undefined ? status >= 400 : status !== request.answer)
    throw new Error(`${request.method ?? 'GET'} ${request.path.slice(0, 200)} was answered ${status}.`)
}

/** Runs one case on its own mock. */
async function measureCase([
  title,
  status,
  request,
  { seed = [], filled = 0, streams = 0, atOnce = 1, isStream = false } = {},
]) {
  const child = fork(SERVER, filled === 0 ? [] : [String(filled)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  try {
    const { url } = await nextMessage(child)
    for (const one of seed) await seedWith(url, one)
    const told = await openStreams(url, streams)
    await wait(REST)
    child.send('reset')
    await nextMessage(child)
    await wait(REST)
    const answers = await Promise.all(Array.from({ length: atOnce }, () => send(url, request, isStream)))
    for (const answer of answers) {
      if (answer.status !== status)
        throw new Error(`"${title}" was answered ${answer.status}, not ${status}: it proves nothing.`)
    }
    await Promise.all(told)
    await wait(REST)
    child.send('read')
    const { milliseconds } = await nextMessage(child)
    return { title, milliseconds, status, bytes: Math.max(...answers.map(({ bytes }) => bytes)) }
  } finally {
    child.kill('SIGKILL')
  }
}

/**
 * Sends every hostile request once, each to its own prepared mock.
 *
 * @param {string} [part] runs only the cases whose titles start with it
 * @returns {AsyncGenerator<{ title: string, milliseconds: number, status: number, bytes: number }>}
 */
export async function* measureHeld(part = '') {
  for (const one of heldCases) if (one[0].startsWith(part)) yield await measureCase(one)
}
