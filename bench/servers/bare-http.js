/** The smallest possible server on Node: the baseline for startup. */
import { createServer } from 'node:http'

const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json')
  response.end('{}')
})
server.listen(Number(process.argv[2]), '127.0.0.1')
