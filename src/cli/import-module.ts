/** Imports a module from a file URL. It is kept out of the bundle, since code from V8's code cache cannot import. */
export const importModule = (url: string): Promise<unknown> => import(url)
