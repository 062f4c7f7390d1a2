/** Characters that XML 1.0 (section 2.2) forbids even when escaped; a service or a page may have sent them. */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const UNTELLABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes text and attribute values. In attributes, unescaped line breaks would be read as spaces (section 3.3.3). */
export const escapeXml = (text: string): string =>
  text
    .replace(UNTELLABLE, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The attributes of an element, each with a space before it. */
export const toAttributes = (attributes: Readonly<Record<string, string | number>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
