/** Decodes percent-encoding; text whose encoding is malformed stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
