/** The service's base URL: beside the page. */
export const BASE = new URL('./api', document.baseURI).href
