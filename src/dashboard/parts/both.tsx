import { findLineChanges } from '../line-diff.ts'
import { toPrettyText } from '../pretty.ts'
import { Code } from './code.tsx'

const toLines = (text: string): readonly string[] =>
  toPrettyText(text)
    .split('\n')
    .map((line) => line.trimEnd())

/** How many lines may differ: the time to find them grows with the square of it. */
const MOST_LINES = 600

interface BothProps {
  /** What someone else saved. */
  readonly saved: string
  /** What the reader tried to save. */
  readonly own: string
}

/** Two versions of a text to choose from. */
export const Both = ({ saved, own }: BothProps) => {
  const changes = findLineChanges(toLines(saved), toLines(own.replaceAll('\r\n', '\n')), MOST_LINES)
  return (
    <section class="both whole stack-wide" aria-label="Both versions">
      <h3>Saved version and yours</h3>
      <pre class="diff" tabindex={0} role="region" aria-label="Differences">
        {changes === undefined && 'Too many differences to list.'}
        {changes?.length === 0 && 'Both versions are the same.'}
        {changes?.map(({ kind, line }) =>
          kind === 'removed' ? <del>{`− saved  ${line}\n`}</del> : <ins>{`+ yours  ${line}\n`}</ins>,
        )}
      </pre>
      <details>
        <summary>The saved version in full</summary>
        <Code text={saved} label="Saved version" />
      </details>
    </section>
  )
}
