/** The service's project that the shop sells. */
export const PROJECT = 'odd-shelf'

/** Products per page of the shop. */
export const PAGE_SIZE = 12

/** The shop's client id at the token endpoints. The mock accepts any client; a real service knows this pair. */
export const CLIENT = { id: 'storefront', secret: 'for-demos-only' } as const
