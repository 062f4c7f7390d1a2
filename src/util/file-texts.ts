/** The texts of a folder's files, by file name. */
export type FileTexts = Readonly<Record<string, string>>
