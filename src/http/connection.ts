/** What a request that came over a socket carries beside itself; absent in-process. */
export interface Connection {
  /** The client's IP address. */
  readonly remoteAddress?: string | undefined
}
