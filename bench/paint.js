import { chromium } from '@playwright/test'
import { chromiumLaunchOptions } from './chromium.js'
import { startContender } from './contenders.js'
import { median } from './measure.js'

/** Number of requests in the scrolled list. */
const MANY = 5000
const FRAMES = 60

async function fillJournal(url) {
  for (let at = 0; at < MANY; at += 1) {
    const response = await fetch(`${url}/bench/resource/key=none-${at}`, { headers: { Authorization: 'Bearer any' } })
    await response.arrayBuffer()
  }
}

/** A new window keeps the machine busy for this long, in milliseconds. */
const REST = 1000

/** Calls with a page of a browser with empty caches, in a window that has finished opening. */
async function visit(browser, address, act) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.waitForTimeout(REST)
    await page.goto(address)
    return await act(page)
  } finally {
    await context.close()
  }
}

/** Milliseconds from the request for a page to its first text or image (Paint Timing, section 4.1). */
const measurePaint = (browser, address) =>
  visit(browser, address, async (page) => {
    const entry = await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      undefined,
      { polling: 'raf' },
    )
    return entry.jsonValue()
  })

/** Runs in the page: the time between frames in milliseconds, while the list scrolls by this many pixels per frame. */
const timeFrames = ({ by, count }) =>
  new Promise((resolve) => {
    const table = document.querySelector('.rows')
    const times = []
    let last
    const step = (now) => {
      if (last !== undefined) times.push(now - last)
      last = now
      table.scrollBy(0, by)
      if (times.length === count) resolve(times)
      else requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })

/** The frame time that 95 of a hundred frames do not exceed. */
const measureFrames = (browser, address, by) =>
  visit(browser, address, async (page) => {
    await page
      .getByText(`${MANY.toLocaleString('en')} requests`)
      .first()
      .waitFor()
    const times = await page.evaluate(timeFrames, { by, count: FRAMES })
    return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]
  })

/**
 * Measures the dashboard in Chromium: the time to the first paint, and whether a long list scrolls smoothly, each next to
 * the smallest possible value, in interleaved rounds.
 *
 * @param {number} rounds
 * @returns {Promise<readonly { title: string, least: number, dashboard: number, goal: number }[]>} medians in
 * milliseconds
 */
export async function measureDashboard(rounds) {
  const contenders = []
  let browser
  try {
    for (const [name, flags] of [
      ['bare node:http', []],
      ['resource-mock', ['--journal', String(MANY)]],
    ]) {
      contenders.push(await startContender(name, undefined, flags))
    }
    const [bare, mock] = contenders.map(({ url }) => url)
    const dashboard = `${mock}/__admin`
    await fillJournal(mock)
    browser = await chromium.launch(chromiumLaunchOptions)
    const cases = [
      {
        title: `first contentful paint: {} of node:http, and the dashboard with ${MANY} requests`,
        goal: 100,
        measures: [() => measurePaint(browser, bare), () => measurePaint(browser, dashboard)],
      },
      {
        title: `slowest frame of twenty: nothing moves, and ${MANY} lines are scrolled 84 a frame`,
        goal: 17,
        measures: [() => measureFrames(browser, dashboard, 0), () => measureFrames(browser, dashboard, 84 * 32)],
      },
    ]
    const seen = cases.map(({ measures }) => measures.map(() => []))
    // The first round fills the caches and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, { measures }] of cases.entries()) {
        for (const [at, measure] of measures.entries()) {
          const time = await measure()
          if (round > 0) seen[index][at].push(time)
        }
      }
    }
    return cases.map(({ title, goal }, index) => {
      const [least, ofDashboard] = seen[index].map(median)
      return { title, least, dashboard: ofDashboard, goal }
    })
  } finally {
    await browser?.close()
    await Promise.all(contenders.map((contender) => contender.stop()))
  }
}
