/** The code that Node gives an error of the system, such as `ENOENT`; undefined if it has none. */
export const findErrorCode = (fault: unknown): string | undefined =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined
