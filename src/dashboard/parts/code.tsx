import { toPieces } from '../pretty.ts'

/** JSON, laid out and coloured; any other text as it is. */
export const Code = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <pre class="code" tabindex={0} role="region" aria-label={label}>
    <code>
      {toPieces(text).map(({ kind, text: piece }) =>
        kind === 'plain' ? piece : <span class={`j-${kind}`}>{piece}</span>,
      )}
    </code>
  </pre>
)
