/** The least that a server on Node can be: what start-up is measured against. */
import { createServer } from 'node:http'

const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json')
  response.end('{}')
})
server.listen(Number(process.argv[2]), '127.0.0.1')
