/** The years that ISO 8601 writes with four digits, in epoch milliseconds. */
export const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** The nearest time that ISO 8601 writes with four digits. */
export const toKeptTime = (at: number): number => Math.min(LATEST, Math.max(EARLIEST, at))

/** Epoch milliseconds as ISO 8601 with milliseconds and Z, within the years 0000 to 9999. */
export const toTime = (at: number): string => new Date(toKeptTime(at)).toISOString()
