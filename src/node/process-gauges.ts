import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ProcessGauge } from '../journal/metrics.ts'
import type { UnreadResponses } from './unread-responses.ts'

/** Creates what measures this process. The event loop is watched from the first measurement on. */
export function createProcessGauges(unread: Pick<UnreadResponses, 'bytes'>): () => readonly ProcessGauge[] {
  let delay: ReturnType<typeof monitorEventLoopDelay> | undefined

  /** The longest delay since the last measurement, in seconds. */
  function measureDelay(): number {
    if (delay === undefined) {
      delay = monitorEventLoopDelay()
      delay.enable()
    }
    const longest = delay.max / 1e9
    delay.reset()
    return longest
  }

  return () => {
    const { rss, heapUsed } = process.memoryUsage()
    return [
      { name: 'process_resident_memory_bytes', help: 'Memory of the process.', value: rss },
      { name: 'process_heap_used_bytes', help: 'JavaScript heap in use.', value: heapUsed },
      {
        name: 'event_loop_lag_max_seconds',
        help: 'Longest delay of the event loop since the metrics were last read.',
        value: measureDelay(),
      },
      {
        name: 'unread_response_bytes',
        help: 'Bytes of responses that clients have not read yet.',
        value: unread.bytes,
      },
    ]
  }
}
