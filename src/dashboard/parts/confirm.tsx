import type { Child } from 'hono/jsx'

interface ConfirmProps {
  /** The label of what asks. */
  readonly label: Child
  /** What is lost, in a sentence. */
  readonly loss: string
  /** The form that does it. */
  readonly children?: Child
}

/** Says what would be lost before something is done that cannot be undone. */
export const Confirm = ({ label, loss, children }: ConfirmProps) => (
  <details class="ask">
    <summary class="button">{label}</summary>
    <div class="asked">
      <p>{loss}</p>
      {children}
    </div>
  </details>
)
