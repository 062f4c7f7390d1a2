/** The project of the service that the shop sells. */
export const PROJECT = 'odd-shelf'

/** Products on a page of the shop. */
export const PAGE_SIZE = 12

/** What the shop calls itself at the token endpoints. The mock admits any client; a real one knows this pair. */
export const CLIENT = { id: 'storefront', secret: 'for-demos-only' } as const
