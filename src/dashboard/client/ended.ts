// Whether the session that the page is in has ended: to ask for anything of it would start it again. The one that is
// everyone's begins anew by itself, and its pages have nothing that tells so.

const told = document.getElementById('ended')

export const hasEnded = (): boolean => told?.hidden === false

/** Tells that a session has ended, for good or not, if it is the page's own; returns whether it is. */
export function tellEnd(session: string | undefined, isFinal: boolean): boolean {
  if (told === null || session !== document.body.dataset['session']) return false
  told.hidden = false
  told.querySelector('#anew')?.toggleAttribute('hidden', isFinal)
  return true
}

/** Tells no more that it has ended: someone has begun it anew. */
export function takeBackEnd(): void {
  if (told !== null) told.hidden = true
}

/** Whether the mock has the session of the page, asked in a way that does not begin it; where it does not answer, it may. */
export async function isThere(): Promise<boolean> {
  if (told === null) return true
  const response = await fetch(told.dataset['sessions'] ?? '', { cache: 'no-store' }).catch(() => undefined)
  if (response?.ok !== true) return true
  const { sessions } = (await response.json()) as { readonly sessions: readonly { readonly name: string }[] }
  return sessions.some(({ name }) => name === document.body.dataset['session'])
}
