import { didYouMean } from '../../util/did-you-mean.ts'
import type { Child } from 'hono/jsx'
import { Icon } from './icon.tsx'

interface FaultProps {
  readonly id: string
  readonly sentence: string
  /** The wrong line, with a caret under the position. */
  readonly excerpt?: string | undefined
  readonly children?: Child
}

/** What is wrong with an input, shown below it. */
export const Fault = ({ id, sentence, excerpt = '', children }: FaultProps) => (
  <div class="fault" id={id} role="alert">
    <p>
      <Icon name="alert" /> {sentence}
      {children}
    </p>
    {excerpt !== '' && <Excerpt text={excerpt} />}
  </div>
)

/** Lines of input with a caret under a position. */
export const Excerpt = ({ text }: { readonly text: string }) => (
  <pre class="excerpt" tabindex={0} role="region" aria-label="Position of the error">
    {text}
  </pre>
)

interface UnknownProps {
  /** Such as `scenario`. */
  readonly kind: string
  /** The name in the URL; empty if absent. */
  readonly name: string
  readonly known: readonly string[]
}

/** Says that the URL names something that does not exist. */
export const Unknown = ({ kind, name, known }: UnknownProps) => {
  if (name === '' || known.includes(name)) return null
  const shown = name.slice(0, 100)
  return <Fault id={`no-${kind}`} sentence={`Unknown ${kind} ${JSON.stringify(shown)}.${didYouMean(shown, known)}`} />
}
