import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock } from '../../src/mock.ts'
import { startServer } from '../../src/node/server.ts'
import { describeInChromium } from '../support/chromium.ts'
import { createSend, useBrowser } from './visit.ts'

const PAGE = { Accept: 'text/html', 'Sec-Fetch-Site': 'none' }

describe('a page of the dashboard', () => {
  it('is streamed in two parts: the frame, then the view', async () => {
    const mock = await createMock()
    const { body } = await mock.fetch(new Request('http://localhost:4010/__admin', { headers: PAGE }))
    const pieces: string[] = []
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) pieces.push(piece)
    const [frame, ...rest] = pieces
    expect(frame).toMatch(/^<!doctype html><html .*<nav aria-label="Views">.*<\/header>$/su)
    expect(rest.join('')).toMatch(/^<link rel="stylesheet" .*<main .*<h1>Requests<\/h1>.*<\/main>.*<\/html>$/su)
  })

  it.each([
    ['opened from the address bar', 'none', 50],
    ['opened from another site', 'cross-site', 50],
    ['opened from another page of the mock', 'same-origin', 0],
  ])('sends its frame ahead of its view while the browser starts, %s', async (_how, site, milliseconds) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const mock = await createMock()
    const visit = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    const { body } = await mock.fetch(new Request('http://localhost:4010/__admin', { headers: { ...PAGE, ...visit } }))
    const text = body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await text?.read())?.value).toContain('<nav aria-label="Views">')
    const since = Date.now()
    const view = text?.read()
    await vi.runAllTimersAsync()
    expect((await view)?.value).toContain('<h1>Requests</h1>')
    expect(Date.now() - since).toBe(milliseconds)
  })

  it('is not buffered on its way to a socket', async () => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const { headers } = await createSend(() => server.url)('GET', '/__admin', { headers: PAGE })
    expect(headers.get('Transfer-Encoding')).toBe('chunked')
    expect(headers.get('Content-Length')).toBeNull()
  })
})

describeInChromium('the first frame of a page', () => {
  const visit = useBrowser()

  it.each([
    ['has no list of requests yet', 1280, '', 'hidden'],
    ['has the view if the page itself scrolls', 800, '', 'visible'],
    ['has a view in which the page scrolls', 1280, '?view=scenarios', 'visible'],
  ])('%s', async (_sentence, width, place, expected) => {
    const { page, go } = await visit({}, { viewport: { width, height: 800 } })
    await go(place)
    const [first, later] = await page.evaluate(() => {
      const { body } = document
      const isShown = () => getComputedStyle(document.querySelector('main') ?? body).contentVisibility
      body.style.animationName = 'none'
      const shown = isShown()
      // Starts again, and stays where it starts.
      body.style.animationName = ''
      body.style.animationPlayState = 'paused'
      return [isShown(), shown]
    })
    expect(first).toBe(expected)
    expect(later).toBe('visible')
  })

  it.each([
    [360, ''],
    [1280, '?view=scenarios'],
    [1280, '?view=contract'],
  ])('restores its scroll position, %i pixels wide at the view %j', async (width, place) => {
    const { page, go, send } = await visit({}, { viewport: { width, height: 500 } })
    for (let at = 0; at < 60; at += 1) await send('GET', `/acme/resource/key=none-${at}`)
    await go(place)
    await page.evaluate(() => window.scrollTo(0, 60))
    await go('?view=sessions')
    await page.goBack()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(60)
  })
})
