import { stringifyJson } from '../../http/json.ts'
import type { Scenario } from '../../scenarios/schema.ts'
import { fieldOf } from '../notice.ts'
import { toPrettyText } from '../pretty.ts'
import { Act } from '../parts/act.tsx'
import { Editor } from '../parts/editor.tsx'
import { Unknown } from '../parts/unknown.tsx'
import type { Show } from '../show.ts'

/** What a new scenario begins with. */
const EXAMPLE = `{
  "description": "One sentence that the list shows",
  "rules": [
    {
      "match": { "operation": "updateResource" },
      "times": 1,
      "effect": { "answer": { "status": 503, "error": { "code": "OverCapacity", "message": "Try again." } } }
    }
  ]
}`

interface ScenarioEditorProps {
  readonly show: Show
  readonly scenarios: readonly Scenario[]
}

/** Where a scenario is written or changed, for this session. */
export const ScenarioEditor = ({ show, scenarios }: ScenarioEditorProps) => {
  const { place, notice } = show
  const edited = show.param('edit')
  const known = scenarios.find(({ name }) => name === edited)
  const text =
    known === undefined ? EXAMPLE : toPrettyText(stringifyJson({ description: known.description, rules: known.rules }))
  const isFailed = notice?.kind === 'failed' && notice.fields.has('definition')
  return (
    <>
      <Unknown kind="scenario" name={edited} known={scenarios.map(({ name }) => name)} />
      <details class="card editor-card" id="editor" open={known !== undefined || isFailed}>
        <summary>{known === undefined ? 'Write a scenario' : `Change ${known.name}`}</summary>
        <Act
          place={place}
          steps={['PUT /scenarios/{name} {definition}']}
          canUndo
          done="The scenario is kept in this session. Switch it on below."
          class="stack"
        >
          <label for="scenario-name">Name</label>
          <input
            id="scenario-name"
            name="name"
            required
            pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
            value={fieldOf(notice, 'name', known?.name ?? '')}
            placeholder="my-scenario"
            autocomplete="off"
          />
          <Editor
            id="definition"
            label="Definition, as in a scenario file"
            text={fieldOf(notice, 'definition', text)}
            problem={isFailed ? notice.problem : undefined}
          />
          <div class="row-of">
            <button class="button primary">Keep it</button>
            {known !== undefined && (
              <a class="button" href={place.to('scenarios')}>
                Cancel
              </a>
            )}
            <span class="quiet">It stands in the place of a file of the same name, in this session alone.</span>
          </div>
        </Act>
      </details>
    </>
  )
}
