import type { IsSecretName } from './secret-names.ts'

/** What stands in a secret's place. */
export const REDACTED = '[redacted]'

/** A string of JSON, which may be cut off at the end of the text. */
const STRING = /"(?:[^"\\]|\\[^])*"?/

/** What holds no secret, whatever its name: `"hasPassword": true`. */
const HARMLESS = /^(?:null|true|false|""|)$/

function readName(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}

/** Where the value that starts at a place ends. */
function findValueEnd(text: string, start: number): number {
  const token = new RegExp(`${STRING.source}|[{}[\\]]|[^\\s"{}[\\],:]+|[,:]`, 'g')
  token.lastIndex = start
  let depth = 0
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [first = ''] = found[0]
    if (first === '{' || first === '[') depth += 1
    else if (first === '}' || first === ']') depth -= 1
    if (depth <= 0) return depth < 0 || first === ',' ? found.index : token.lastIndex
  }
  return text.length
}

/**
 * JSON without the values of secret members, every other character as it was; it may be cut off. It is not parsed, so that
 * numbers keep their digits and patterns match the text that was sent.
 */
function redactJson(text: string, isSecretName: IsSecretName): string {
  const string = new RegExp(STRING, 'g')
  const colon = /\s*:\s*/y
  let shown = ''
  let from = 0
  for (let found = string.exec(text); found !== null; found = string.exec(text)) {
    colon.lastIndex = string.lastIndex
    if (!colon.test(text) || !isSecretName(readName(found[0]), 'member')) continue
    const start = colon.lastIndex
    const end = findValueEnd(text, start)
    if (!HARMLESS.test(text.slice(start, end))) {
      shown += `${text.slice(from, start)}"${REDACTED}"`
      from = end
    }
    string.lastIndex = Math.max(end, string.lastIndex)
  }
  return shown + text.slice(from)
}

/** A form of several parts (RFC 7578) without the contents of secret ones. */
function redactParts(text: string, isSecretName: IsSecretName): string {
  const [boundary = '--'] = /^--[^\r\n]*/.exec(text) ?? []
  return text
    .split(boundary)
    .map((part) => {
      const end = /\r?\n\r?\n/.exec(part)
      const [, name = ''] = /[;\s]name="?([^";\r\n]*)/i.exec(part.slice(0, end?.index)) ?? []
      if (end === null || !isSecretName(name, 'parameter')) return part
      return `${part.slice(0, end.index)}${end[0]}${REDACTED}\r\n`
    })
    .join(boundary)
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim()
  } catch {
    return name
  }
}

/** `name=value` without its value. */
export const redactPair = (pair: string): string => {
  const end = pair.indexOf('=')
  return end === -1 ? REDACTED : `${pair.slice(0, end)}=${REDACTED}`
}

/** Form-encoded text without secret values, every other character as it was. */
export const redactForm = (text: string, isSecretName: IsSecretName): string =>
  text
    .split('&')
    .map((pair) => (isSecretName(decodeName(pair.split('=', 1)[0] ?? ''), 'parameter') ? redactPair(pair) : pair))
    .join('&')

/** Names as a form has them; what else holds a `=` is not a form. */
const FORM = /^[\w.%+[\]-]+=[^&]*(?:&[\w.%+[\]-]+=[^&]*)*$/

/** A body's text without its secrets; undefined where it is neither JSON nor a form. */
export function findRedacted(text: string, isSecretName: IsSecretName): string | undefined {
  if (/^\s*[{[]/.test(text)) return redactJson(text, isSecretName)
  if (text.startsWith('--')) return redactParts(text, isSecretName)
  return FORM.test(text) ? redactForm(text, isSecretName) : undefined
}
