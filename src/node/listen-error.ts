/**
 * Nothing is wrong with what was asked for, but this machine cannot give it now.
 *
 * @example await startServer({ port: 4010 }) // ListenError: Port 4010 of 127.0.0.1 is in use. …
 */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}
