import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { findUrl, refuseTarget } from './target.mjs'
import { findSession, toVisitorCookie } from './visitor.mjs'

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const HEADERS = {
  // The page shows photos from memory before it uploads them.
  'Content-Security-Policy': "default-src 'self'; img-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** Every file of a built page, by its request path. The list is short and fixed: no other file is served. */
async function readPages(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const { pathname: root } = folder
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = `${parentPath.replace(/\/?$/, '/')}${name}`
        return [path.slice(root.length - 1), await readFile(path)]
      }),
    ),
  )
}

/**
 * Serves the files of a built page, gives a session to visitors without one, and names it at `/visitor`.
 *
 * @param {URL} folder
 * @returns {Promise<(incoming: import('node:http').IncomingMessage, outgoing: import('node:http').ServerResponse) => void>}
 */
export async function createPages(folder) {
  const pages = await readPages(folder).catch((cause) => {
    throw new Error(`There is no built page in ${folder.pathname}. Build it with: npx vite build examples/storefront`, {
      cause,
    })
  })

  return function answerPage(incoming, outgoing) {
    const url = findUrl(incoming.url, 'http://page')
    if (url === undefined) {
      refuseTarget(outgoing)
      return
    }
    const { pathname } = url
    if (pathname === '/visitor') {
      // Scripts cannot read the cookie.
      outgoing.writeHead(200, { ...HEADERS, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      outgoing.end(JSON.stringify({ session: findSession(incoming) }))
      return
    }
    const path = pathname === '/' ? '/index.html' : pathname
    const content = pages.get(path)
    if (content === undefined) {
      outgoing.writeHead(404, { ...HEADERS, 'Content-Type': 'text/plain' }).end('The shop has no such file.')
      return
    }
    const isPage = path.endsWith('.html')
    outgoing.writeHead(200, {
      ...HEADERS,
      'Content-Type': types[extname(path)] ?? 'application/octet-stream',
      // The names of assets change with their content.
      'Cache-Control': isPage ? 'no-cache' : 'max-age=31536000, immutable',
      ...(isPage && findSession(incoming) === undefined ? { 'Set-Cookie': toVisitorCookie() } : {}),
    })
    outgoing.end(incoming.method === 'HEAD' ? undefined : content)
  }
}
