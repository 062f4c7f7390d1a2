import { admitsType } from '../http/accept.ts'

/** Whether a page is requested: clients that accept anything, as most do, get JSON (D88). */
export function wantsPage(headers: Headers): boolean {
  const accept = headers.get('Accept') ?? ''
  return accept.includes('text/html') && admitsType(accept, 'text/html')
}
