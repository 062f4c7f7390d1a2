/** The least that a server on Node can be: what start-up is measured against. */
import { createServer } from 'node:http'

const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json')
  response.end('{}')
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  console.log(`Listening on port ${port} (http://127.0.0.1:${port})`)
})
