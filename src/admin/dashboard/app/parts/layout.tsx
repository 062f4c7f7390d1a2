import type { Child } from 'hono/jsx'
import { useLayoutEffect, useRef } from 'hono/jsx/dom'
import { hasLostFocus } from '../focus.ts'
import { Button } from './controls.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

interface HeadProps {
  readonly title: string
  /** Buttons and states at the right. */
  readonly children?: Child
}

/** The heading of a view. */
export const ViewHead = ({ title, children }: HeadProps) => (
  <header class="view-head">
    <h1 tabindex={-1}>{title}</h1>
    <div class="tools">{children}</div>
  </header>
)

interface CardProps {
  readonly title?: string
  readonly tools?: Child
  readonly children?: Child
  /** Its content reaches the edges, as a table does. */
  readonly isFlush?: boolean
}

export const Card = ({ title, tools, children, isFlush = false }: CardProps) => (
  <section class={isFlush ? 'card flush' : 'card'} aria-label={title}>
    {title !== undefined && (
      <header>
        <h2>{title}</h2>
        {tools !== undefined && <div class="tools">{tools}</div>}
      </header>
    )}
    {children}
  </section>
)

interface DetailProps {
  /** Its accessible name. */
  readonly label: string
  readonly title: Child
  /** What a glance needs, below the title. */
  readonly facts: Child
  /** A link back, above the title. */
  readonly back?: Child
  readonly onClose: () => void
  readonly children?: Child
}

/** What is open, beside its list. Keys move through the list, so it takes the focus only if nothing else visible has it. */
export function DetailPane({ label, title, facts, back, onClose, children }: DetailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    // On a phone, it replaces the list.
    if (hasLostFocus()) heading.current?.focus()
  }, [])
  return (
    <section class="detail" aria-label={label}>
      <header>
        <div>
          {back !== undefined && <p>{back}</p>}
          <h2 ref={heading} tabindex={-1}>
            {title}
          </h2>
          <p class="facts">{facts}</p>
        </div>
        <Button kind="plain" icon="cross" label="Close" onClick={onClose} />
      </header>
      <div class="detail-body">{children}</div>
    </section>
  )
}

/** What a list says instead of rows, and what to do about it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: Child }) => (
  <div class="stack empty">
    <h2>{title}</h2>
    {children}
  </div>
)

interface NoticeProps {
  readonly kind?: 'info' | 'warning' | 'failure' | 'success'
  readonly children?: Child
}

const NOTICE_ICONS = { info: 'info', warning: 'alert', failure: 'alert', success: 'check' } as const satisfies Record<
  string,
  IconName
>

/** A sentence that matters; a failure is announced. */
export const Notice = ({ kind = 'info', children }: NoticeProps) => (
  <div class={`notice ${kind}`} role={kind === 'failure' ? 'alert' : undefined}>
    <Icon name={NOTICE_ICONS[kind]} />
    <div>{children}</div>
  </div>
)

/** The error of a load or a write, if there is one. */
export const ErrorNotice = ({ error }: { readonly error: { readonly message: string } | string | undefined }) =>
  error === undefined ? null : <Notice kind="failure">{typeof error === 'string' ? error : error.message}</Notice>
