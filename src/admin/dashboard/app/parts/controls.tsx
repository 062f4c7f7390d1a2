import type { Child } from 'hono/jsx'
import { useLayoutEffect, useRef } from 'hono/jsx/dom'
import { go } from '../address.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

interface LinkProps {
  readonly href: string
  readonly children?: Child
  readonly class?: string
  readonly 'aria-current'?: 'page' | 'true' | undefined
  readonly 'aria-label'?: string
  readonly title?: string
}

/** Whether a click ended the selection of text where it happened. */
export function hasSelected({ detail, currentTarget }: MouseEvent): boolean {
  const selection = getSelection()
  // A click by a key has no detail.
  if (detail === 0 || selection === null || selection.isCollapsed) return false
  return currentTarget instanceof Node && selection.containsNode(currentTarget, true)
}

/** Clears an older selection on a press: the browser would keep it until after the click. */
export function clearSelection({ button, shiftKey }: MouseEvent): void {
  if (button === 0 && !shiftKey) getSelection()?.removeAllRanges()
}

/** A link to another view or state of this session, which opens without loading a page. */
export const Link = ({ children, ...props }: LinkProps) => (
  <a
    {...props}
    // As text: Hono leaves out an attribute that is false, and text of a link can only be selected if it has this one.
    draggable="false"
    onMouseDown={clearSelection}
    onClick={(event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      if (hasSelected(event)) return
      go(props.href)
    }}
  >
    {children}
  </a>
)

interface ButtonProps {
  readonly children?: Child
  readonly icon?: IconName
  /** The accessible name of a button that has only an icon. */
  readonly label?: string
  /** What a click does, or why the button is disabled; by default its label. */
  readonly title?: string | undefined
  readonly kind?: 'primary' | 'danger' | 'plain'
  readonly isSmall?: boolean
  readonly isBusy?: boolean
  readonly isDisabled?: boolean
  readonly isPressed?: boolean
  readonly type?: 'button' | 'submit'
  readonly onClick?: (event: MouseEvent) => void
}

/** A button. It keeps the focus when it is disabled. */
export const Button = ({
  children,
  icon,
  label,
  title = label,
  kind,
  type = 'button',
  onClick,
  ...is
}: ButtonProps) => (
  <button
    type={type}
    class={['button', kind, is.isSmall && 'small', children === undefined && 'square'].filter(Boolean).join(' ')}
    aria-label={label}
    title={title}
    aria-pressed={is.isPressed === undefined ? undefined : String(is.isPressed)}
    aria-busy={is.isBusy === true ? 'true' : undefined}
    aria-disabled={is.isDisabled === true ? 'true' : undefined}
    onClick={is.isDisabled === true ? undefined : onClick}
  >
    {icon !== undefined && <Icon name={icon} />}
    {children}
  </button>
)

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly isDisabled?: boolean
}

export const Switch = ({ label, isOn, onChange, isDisabled = false }: SwitchProps) => (
  <button
    type="button"
    class="switch"
    role="switch"
    aria-checked={String(isOn)}
    aria-label={label}
    aria-disabled={isDisabled ? 'true' : undefined}
    onClick={() => isDisabled || onChange(!isOn)}
  >
    <span class="knob" />
  </button>
)

interface ChipProps {
  readonly href: string
  readonly children?: Child
  readonly removeLabel?: string
  readonly onRemove?: () => void
}

/** A name that links to its view, with a button that removes it. */
export const Chip = ({ href, children, removeLabel, onRemove }: ChipProps) => (
  <span class="chip">
    <Link href={href}>{children}</Link>
    {onRemove !== undefined && (
      <button type="button" aria-label={removeLabel} title={removeLabel} onClick={onRemove}>
        <Icon name="cross" />
      </button>
    )}
  </span>
)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName))

/** The name of a key by its place on a US keyboard. */
function toPlaceName({ code, shiftKey }: KeyboardEvent): string {
  if (code === 'Slash') return shiftKey ? '?' : '/'
  // On layouts where digits need Shift, the key without it is a sign; elsewhere, the one with it.
  return code.replace(shiftKey ? 'Key' : /^(?:Key|Digit)/, '').toLowerCase()
}

/** The names of a pressed key: its own, also with Caps Lock, and unless it is a Latin letter, that of its place. */
const toKeyNames = (event: KeyboardEvent): readonly string[] => [
  event.key,
  event.key.toLowerCase(),
  ...(/^[a-z]$/i.test(event.key) ? [] : [toPlaceName(event)]),
]

/**
 * Calls a function for a key pressed anywhere on the page. While the user types in a field or a dialog is open, only
 * `Escape` outside a dialog is handled.
 */
export function useKeys(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const latest = useRef(keys)
  latest.current = keys
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (document.querySelector('dialog[open]') !== null) return
      if (isTyping(event.target) && event.key !== 'Escape') return
      const named = latest.current ?? {}
      const name = toKeyNames(event).find((one) => Object.hasOwn(named, one))
      if (name !== undefined) named[name]?.(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
