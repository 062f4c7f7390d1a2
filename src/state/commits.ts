interface WaitingCommit {
  readonly resolve: () => void
  readonly reject: (fault: unknown) => void
}

interface CommitParts {
  /** Keeps everything that was changed until it is called. */
  readonly write: () => Promise<void>
  /** Called at once when a write failed: undoes what is not kept. */
  readonly onFailure: () => void
}

/** Keeps changes in groups: those made while a write is under way are kept together by the next one. */
export interface Commits {
  /** Notes that something changed. */
  noteChange(): void
  /**
   * Resolves when every change until now is kept, and rejects when it could not be; undefined when there is nothing to
   * wait for.
   */
  commit(): Promise<void> | undefined
  /** Why the last write failed; undefined once one has succeeded again. */
  fault(): unknown
}

export function createCommits({ write, onFailure }: CommitParts): Commits {
  let changes = 0
  /** How many changes are kept, and how many will be when the write under way ends. */
  let kept = 0
  let writing = 0
  let current: WaitingCommit[] = []
  let next: WaitingCommit[] = []
  let isWriting = false
  let fault: unknown

  async function writeAll(): Promise<void> {
    isWriting = true
    while (next.length > 0) {
      current = next
      next = []
      writing = changes
      try {
        // oxlint-disable-next-line no-await-in-loop -- one writer at a time
        await write()
        kept = writing
        fault = undefined
        for (const { resolve } of current) resolve()
      } catch (cause) {
        onFailure()
        kept = changes
        fault = cause
        for (const { reject } of [...current, ...next]) reject(cause)
        next = []
      }
    }
    isWriting = false
  }

  return {
    noteChange() {
      changes += 1
    },
    commit() {
      if (kept === changes) return undefined
      return new Promise<void>((resolve, reject) => {
        const group = isWriting && writing === changes ? current : next
        group.push({ resolve, reject })
        if (!isWriting) void writeAll()
      })
    },
    fault: () => fault,
  }
}
