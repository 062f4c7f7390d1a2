import type { JournalEntry } from './entry.ts'
import { REDACTED } from './redact.ts'

/** Headers that clients set themselves. The journal keeps bodies decoded. */
const MADE = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-correlation-id',
])

const isMade = (name: string): boolean => MADE.has(name) || name.startsWith('sec-')

/** Placeholder credentials by scheme: real ones are not recorded, and the mock accepts any by default (D32). */
const CREDENTIALS: Readonly<Record<string, string>> = { basic: btoa('any-client:any-secret'), bearer: 'any-token' }

/** The headers of a request that are worth sending again. */
export function toSendableHeaders({
  request: { headers },
}: JournalEntry): readonly (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (isMade(name)) return []
    const [scheme = ''] = value.split(' ', 1)
    const credentials = name === 'authorization' ? CREDENTIALS[scheme.toLowerCase()] : undefined
    if (credentials !== undefined) return [[name, `${scheme} ${credentials}`] as const]
    return value.includes(REDACTED) ? [] : [[name, value] as const]
  })
}

/** Replaces redacted secrets by a placeholder. */
export const fillSecrets = (text: string): string => text.replaceAll(REDACTED, 'any-secret')
