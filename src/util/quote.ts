/** Text in single quotes of a POSIX shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Text as one word of a POSIX shell. */
export const toWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quote(text))

/** Text as part of a regular expression that matches it. */
export const escapeExpression = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
