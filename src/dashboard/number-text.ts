const count = new Intl.NumberFormat('en')

/** `65,536`. */
export const toCountText = (number: number): string => count.format(number)
