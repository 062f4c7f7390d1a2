import { diffArrays } from 'diff'

/** More differing lines than this are not compared: it takes the square of that. */
const MOST_SHOWN_CHANGES = 500

interface DiffProps {
  /** What is compared, for screen readers. */
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The lines that differ between two texts. */
export const Diff = ({ label, before, after }: DiffProps) => {
  const parts = diffArrays(before.split('\n'), after.split('\n'), { maxEditLength: MOST_SHOWN_CHANGES })
  if (parts === undefined) return <p class="quiet">Too many differences to compare.</p>
  const changes = parts.filter(({ added, removed }) => added || removed)
  if (changes.length === 0) return <p class="quiet">No differences</p>
  return (
    <pre class="code" role="region" aria-label={label} tabindex={0}>
      {changes.map(({ added, value }) => {
        const text = value.map((line) => `${added ? '+' : '-'} ${line}\n`).join('')
        return added ? <ins>{text}</ins> : <del>{text}</del>
      })}
    </pre>
  )
}
