/**
 * Runs a task by name in rounds: callers that join before a round starts share it, and the next one starts when it has ended.
 *
 * @returns joins the next round of a name
 */
export function createRounds(task: (name: string) => Promise<void>): (name: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Promise<void>>()

  async function run(name: string): Promise<void> {
    const before = running.get(name)
    // Callers of that round get its error.
    if (before !== undefined) await before.catch(() => undefined)
    waiting.delete(name)
    const mine = task(name)
    running.set(name, mine)
    try {
      await mine
    } finally {
      if (running.get(name) === mine) running.delete(name)
    }
  }

  return function join(name) {
    const known = waiting.get(name)
    if (known !== undefined) return known
    const next = Promise.resolve().then(() => run(name))
    waiting.set(name, next)
    return next
  }
}
