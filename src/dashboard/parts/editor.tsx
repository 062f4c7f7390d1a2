import type { Problem } from '../../errors.ts'
import { toSentence } from '../notice.ts'
import { Fault } from './fault.tsx'

interface EditorProps {
  /** The field's name too. */
  readonly id: string
  readonly label: string
  readonly text: string
  /** What was wrong with the text. */
  readonly problem: Problem | undefined
  /** So many lines at most are shown at once. */
  readonly mostLines?: number
}

interface Place {
  readonly line: number
  readonly column: number
}

/** The place that the API tells: by members, or, of what is no JSON at all, in its sentence. */
function findPlace({ errors: [{ line, column, detailedErrorMessage = '' }] }: Problem): Place | undefined {
  if (typeof line === 'number' && typeof column === 'number') return { line, column }
  const [, atLine, atColumn] = /line (\d+), column (\d+)/.exec(detailedErrorMessage) ?? []
  return atLine === undefined ? undefined : { line: Number(atLine), column: Number(atColumn) }
}

/** The line that a place is on, and a caret under the place. */
function toExcerpt(text: string, { line, column }: Place): string {
  const found = text.split('\n')[line - 1] ?? ''
  return `${found}\n${found.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')}^`
}

/** A text area for JSON. What is wrong with the text stands under it, and the script puts the cursor there. */
export const Editor = ({ id, label, text, problem, mostLines = 28 }: EditorProps) => {
  const sentence = problem === undefined ? '' : toSentence(problem)
  const place = problem === undefined ? undefined : findPlace(problem)
  return (
    <div class="field whole">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={id}
        class="editor"
        spellcheck={false}
        rows={Math.min(mostLines, text.split('\n').length + 1)}
        aria-invalid={problem === undefined ? undefined : 'true'}
        aria-describedby={problem === undefined ? undefined : `${id}-fault`}
        data-line={place?.line}
        data-column={place?.column}
      >
        {text}
      </textarea>
      {problem !== undefined && (
        <Fault
          id={`${id}-fault`}
          sentence={sentence}
          excerpt={place === undefined ? undefined : toExcerpt(text, place)}
        >
          {place !== undefined && !sentence.includes('line ') && ` (line ${place.line}, column ${place.column})`}
        </Fault>
      )}
    </div>
  )
}
