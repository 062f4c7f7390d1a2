/** An element of a parsed XML text. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescape(text: string): string {
  if (/[<>]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(text)) throw new Error(`Not escaped: ${JSON.stringify(text)}`)
  return text.replace(/&(#?)(\w+);/g, (_, hash: string, name: string) =>
    hash === '' ? (ENTITIES[name] ?? '') : String.fromCodePoint(Number(name)),
  )
}

/** Parses a well-formed XML text of elements, attributes and text; throws if it is not well-formed. */
export function parseXml(xml: string): Element {
  // oxlint-disable-next-line no-control-regex -- XML 1.0, section 2.2, does not allow them
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/u.test(xml)) throw new Error('Not XML characters')
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const token = /<\?xml[^>]*\?>|<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/y
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const match = token.exec(xml)
    if (match === null) throw new Error(`Not well-formed: ${xml.slice(at, at + 80)}`)
    const [, closed, opened, attributes = '', selfClosed, text] = match
    const current = open.at(-1) ?? root
    if (text !== undefined) current.text += unescape(text)
    else if (closed !== undefined) {
      if (open.pop()?.name !== closed) throw new Error(`</${closed}> closes another element.`)
    } else if (opened !== undefined) {
      const pairs = [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        unescape(value),
      ])
      const element: Element = {
        name: opened,
        attributes: Object.fromEntries(pairs) as Record<string, string>,
        children: [],
        text: '',
      }
      current.children.push(element)
      if (selfClosed === '') open.push(element)
    }
  }
  const [only, ...others] = root.children
  if (only === undefined || others.length > 0 || open.length !== 1) throw new Error('Not one element')
  return only
}
