// Whether the session of the page has ended: a request would start it again. The default session starts again by itself,
// so its pages have no such notice.

const told = document.getElementById('ended')

export const hasEnded = (): boolean => told?.hidden === false

/** Shows that a session has ended if it is that of the page; returns whether it is. */
export function tellEnd(session: string | undefined, isFinal: boolean): boolean {
  if (told === null || session !== document.body.dataset['session']) return false
  told.hidden = false
  told.querySelector('#start-again')?.toggleAttribute('hidden', isFinal)
  return true
}

/** Hides the notice: the session was started again. */
export function takeBackEnd(): void {
  if (told !== null) told.hidden = true
}

/** Whether the session of the page exists, without starting it; true if the mock does not respond. */
export async function isThere(): Promise<boolean> {
  if (told === null) return true
  const response = await fetch(told.dataset['sessions'] ?? '', { cache: 'no-store' }).catch(() => undefined)
  if (response?.ok !== true) return true
  const { sessions } = (await response.json()) as { readonly sessions: readonly { readonly name: string }[] }
  return sessions.some(({ name }) => name === document.body.dataset['session'])
}
