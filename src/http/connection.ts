import type { FaultName, Unsent } from './fault.ts'

/** What a request that came over a socket carries beside itself; absent in-process. */
export interface Connection {
  /** The client's IP address. */
  readonly remoteAddress?: string | undefined
  /** Does to the socket what a fault's name says; the response it gives tells the server that all is done. */
  readonly breakOff?: (fault: FaultName, unsent: Unsent) => Promise<Response>
}
