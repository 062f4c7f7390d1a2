/** Text in single quotes of a POSIX shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Text as one word of a POSIX shell. */
export const toWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quote(text))

/** Text for a terminal, without escape sequences and other control characters (ECMA-48), which could act on it. */
export const toTerminalText = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- these are what is removed
    .replaceAll(/\u001B\[[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?/g, '')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\0-\u0008\u000B-\u001F\u007F-\u009F]/g, '')

/** Text as part of a regular expression that matches it. */
export const escapeExpression = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
