interface StreamParts<News> {
  /** Called with all news, in whatever window the stream is. */
  readonly receive: (news: News) => void
  /** Opens the stream; returns what closes it. */
  readonly open: (tell: (news: News) => void) => () => void
}

/** How many news a window that joins is told: enough for the state of the connection and what is pending. */
const MOST_REPEATED = 50

/**
 * Opens a stream in one of the visible windows with the same name, which tells the others: browsers allow six connections to
 * a host. Where windows cannot agree, as over `http://` from another machine, each one has its own. Returns what closes it.
 */
export function shareBetweenWindows<News>(name: string, { receive, open }: StreamParts<News>): () => void {
  // It is missing in an insecure context.
  const locks = navigator.locks as LockManager | undefined
  let leave: (() => void) | undefined

  function join(): void {
    leave?.()
    if (locks === undefined) {
      leave = open(receive)
      return
    }
    const own = new BroadcastChannel(name)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    const tell = (message: { readonly news?: News; readonly to?: string }): void => own.postMessage(message)
    const leaving = new AbortController()
    let close: (() => void) | undefined
    let recent: readonly News[] = []
    own.addEventListener('message', ({ data }: MessageEvent<{ readonly news?: News; readonly to?: string }>) => {
      const { news, to } = data
      if (news === undefined && to !== undefined && close !== undefined)
        for (const one of recent) tell({ news: one, to })
      else if (news !== undefined && (to === undefined || to === id)) receive(news)
    })
    const id = crypto.randomUUID()
    tell({ to: id })
    const lead = async (): Promise<void> => {
      close = open((news) => {
        if (leaving.signal.aborted) return
        // The state of the connection comes first.
        recent =
          typeof news === 'string' ? [news] : [...recent.slice(0, 1), ...recent.slice(1).slice(-MOST_REPEATED), news]
        receive(news)
        tell({ news })
      })
      await new Promise<void>((resolve) => leaving.signal.addEventListener('abort', () => resolve()))
    }
    locks.request(name, { signal: leaving.signal }, lead).catch(() => undefined)
    leave = () => {
      leaving.abort()
      close?.()
      own.close()
    }
  }

  // A hidden window has no part in it. It loads what it missed when it is visible again.
  const onVisibility = (): void => (document.hidden ? leave?.() : join())
  const onHide = (): void => leave?.()
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('pagehide', onHide)
  join()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('pagehide', onHide)
    leave?.()
  }
}
