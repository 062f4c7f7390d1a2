/** Nothing is wrong with what was asked for, but this machine cannot give it now. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}
