import { admitsType } from '../http/accept.ts'

/** Whether a page is asked for: who takes anything, as most clients do, is given JSON (D88). */
export function wantsPage(headers: Headers): boolean {
  const accept = headers.get('Accept') ?? ''
  return accept.includes('text/html') && admitsType(accept, 'text/html')
}
