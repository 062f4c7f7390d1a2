import type { Child } from 'hono/jsx'
import { Icon } from './icon.tsx'

interface FaultProps {
  readonly id: string
  readonly sentence: string
  /** The line that is wrong, and a caret under the place. */
  readonly excerpt?: string | undefined
  readonly children?: Child
}

/** What is wrong with something that was written, under it. */
export const Fault = ({ id, sentence, excerpt = '', children }: FaultProps) => (
  <div class="fault" id={id} role="alert">
    <p>
      <Icon name="alert" /> {sentence}
      {children}
    </p>
    {excerpt !== '' && <Excerpt text={excerpt} />}
  </div>
)

/** Lines that end with a caret under a place. */
export const Excerpt = ({ text }: { readonly text: string }) => (
  <pre class="excerpt" tabindex={0} role="region" aria-label="The place">
    {text}
  </pre>
)
