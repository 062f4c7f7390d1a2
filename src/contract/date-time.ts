import * as z from 'zod'

/** ISO 8601: a date that there is, a time, and `Z` or an offset (D92). */
export const dateTime = z.iso.datetime({ offset: true, error: 'ISO 8601 date-time expected.' })

/** Whether a text is a date-time of the contract. */
export const isDateTime = (text: string): boolean => dateTime.safeParse(text).success
