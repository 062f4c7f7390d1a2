/** Clocks tell the time in milliseconds: what is written before and after this pause has different times. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
