/** Imports a module from a file URL. Not bundled, since code from V8's code cache cannot use `import()`. */
export const importModule = (url: string): Promise<unknown> => import(url)
