/** The bounds of the parameters that cut a page, and what stands where one is not given (D10). */
export const pageBounds = {
  limit: { least: 0, most: 500, standard: 20 },
  offset: { least: 0, most: 10_000, standard: 0 },
} as const
