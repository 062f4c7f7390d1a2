import type { Problem } from '../../errors.ts'
import { toSentence } from '../notice.ts'
import { Fault } from './fault.tsx'

interface EditorProps {
  /** Also the name of the field. */
  readonly id: string
  readonly label: string
  readonly text: string
  readonly problem: Problem | undefined
  /** The greatest height, in lines. */
  readonly mostLines?: number
}

interface TextPosition {
  readonly line: number
  readonly column: number
}

/** The position of the error: in members, or, for malformed JSON, in the sentence. */
function findPlace({ errors: [{ line, column, detailedErrorMessage = '' }] }: Problem): TextPosition | undefined {
  if (typeof line === 'number' && typeof column === 'number') return { line, column }
  const [, atLine, atColumn] = /line (\d+), column (\d+)/.exec(detailedErrorMessage) ?? []
  return atLine === undefined ? undefined : { line: Number(atLine), column: Number(atColumn) }
}

/** The line of a position, with a caret under it. */
function toExcerpt(text: string, { line, column }: TextPosition): string {
  const found = text.split('\n')[line - 1] ?? ''
  return `${found}\n${found.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')}^`
}

/** A text area for JSON. Errors are shown below it, and the script moves the cursor to them. */
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
