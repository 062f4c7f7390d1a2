type Child = Node | string | false | undefined
type Value = string | number | boolean | undefined
type Listener = (event: Event) => void
type Attributes = Readonly<Record<string, Value | Listener>>

function setAttribute(target: Element, name: string, value: Value | Listener): void {
  if (value === undefined || value === false) return
  if (typeof value === 'function') target.addEventListener(name.replace(/^on/, ''), value)
  else target.setAttribute(name, value === true ? '' : String(value))
}

/**
 * Creates an element. Text stays text, so no input from users or the service can become markup.
 *
 * @example element('button', { class: 'quiet', onclick: close }, 'Close')
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) setAttribute(made, name, value)
  made.append(...children.filter((child) => child !== undefined && child !== false))
  return made
}
