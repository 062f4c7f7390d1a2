/** The longest piece of a request that a message repeats. */
const LONGEST = 60

/** As much of a text as a message needs. */
export const abridge = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
