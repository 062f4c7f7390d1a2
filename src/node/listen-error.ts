/**
 * The request is valid, but this machine cannot fulfil it now.
 *
 * @example await startServer({ port: 4010 }) // ListenError: Port 4010 on 127.0.0.1 is in use. …
 */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}
