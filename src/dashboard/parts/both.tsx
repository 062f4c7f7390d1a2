import { findLineChanges } from '../line-diff.ts'
import { toPrettyText } from '../pretty.ts'
import { Code } from './code.tsx'

const toLines = (text: string): readonly string[] =>
  toPrettyText(text)
    .split('\n')
    .map((line) => line.trimEnd())

/** So many lines may differ: finding them takes the square of that. */
const MOST_LINES = 600

interface BothProps {
  /** What somebody else saved. */
  readonly saved: string
  /** What was not saved. */
  readonly own: string
}

/** Two versions of a text, for someone to choose one. */
export const Both = ({ saved, own }: BothProps) => {
  const changes = findLineChanges(toLines(saved), toLines(own.replaceAll('\r\n', '\n')), MOST_LINES)
  return (
    <section class="both whole stack-wide" aria-label="Both versions">
      <h3>Saved version and yours</h3>
      <pre class="diff" tabindex={0} role="region" aria-label="Differences">
        {changes === undefined && 'Too much differs to compare line by line.'}
        {changes?.length === 0 && 'Both are the same.'}
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
