import type { Settings } from './options.ts'

const isLoopback = (host: string): boolean => /^(?:localhost|.+\.localhost|::1|127(?:\.\d{1,3}){3})$/i.test(host)

/** What whoever starts the mock should know of how the settings act together, a sentence each. */
export function findNotes({ host = '127.0.0.1', adminToken, watch, fixtures, scenarios }: Settings): readonly string[] {
  const notes: string[] = []
  if (!isLoopback(host) && adminToken === undefined) {
    notes.push('The admin API answers this machine only. Give --admin-token to use it from others.')
  }
  if (watch === true && fixtures === undefined && scenarios === undefined) {
    notes.push('There is nothing to watch. Give --watch a folder of your own by --fixtures or --scenarios.')
  }
  return notes
}
