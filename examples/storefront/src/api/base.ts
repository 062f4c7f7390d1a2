/** The service's base URL: next to the page. */
export const BASE = new URL('./api', document.baseURI).href
