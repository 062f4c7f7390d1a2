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
  readonly title?: string
}

/** A link to another view or state of this session, which opens without loading a page. */
export const Link = ({ children, ...props }: LinkProps) => (
  <a
    {...props}
    onClick={(event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
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
  readonly kind?: 'primary' | 'danger' | 'plain'
  readonly isSmall?: boolean
  readonly isBusy?: boolean
  readonly isDisabled?: boolean
  readonly isPressed?: boolean
  readonly type?: 'button' | 'submit'
  readonly onClick?: (event: MouseEvent) => void
}

/** A button. It keeps the focus when it is disabled. */
export const Button = ({ children, icon, label, kind, type = 'button', onClick, ...is }: ButtonProps) => (
  <button
    type={type}
    class={['button', kind, is.isSmall && 'small', children === undefined && 'square'].filter(Boolean).join(' ')}
    aria-label={label}
    title={label}
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
      latest.current?.[event.key]?.(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
