import type { Scenario } from '../../scenarios/schema.ts'
import { toDefinitionText } from '../edit-conflict.ts'
import { fieldOf } from '../notice.ts'
import { Act } from '../parts/act.tsx'
import { Both } from '../parts/both.tsx'
import { Editor } from '../parts/editor.tsx'
import { Unknown } from '../parts/fault.tsx'
import type { ViewContext } from '../view-context.ts'
import { Hits, findAgain } from './happen-again.tsx'

/** The initial text of a new scenario. */
const EXAMPLE = `{
  "description": "One sentence, shown in the list",
  "rules": [
    {
      "match": { "operation": "updateResource" },
      "times": 1,
      "effect": { "answer": { "status": 503, "error": { "code": "OverCapacity", "message": "Try again." } } }
    }
  ]
}`

interface ScenarioEditorProps {
  readonly context: ViewContext
  readonly scenarios: readonly Scenario[]
}

/** A form that creates or changes a scenario of this session. */
export const ScenarioEditor = ({ context, scenarios }: ScenarioEditorProps) => {
  const { place, notice } = context
  const edited = context.param('edit')
  const known = scenarios.find(({ name }) => name === edited)
  const failed = notice?.kind === 'failed' && notice.fields.has('definition') ? notice : undefined
  const isConflict = failed?.problem.status === 409
  const again = findAgain(context)
  const name = fieldOf(notice, 'name', known?.name ?? again?.scenario.name ?? '')
  const text = fieldOf(
    notice,
    'definition',
    known === undefined ? (again?.scenario.definition ?? EXAMPLE) : toDefinitionText(known),
  )
  const saved = toDefinitionText(scenarios.find((one) => one.name === name))
  return (
    <>
      <Unknown kind="scenario" name={edited} known={scenarios.map(({ name }) => name)} />
      <details
        class="card editor-card"
        id="editor"
        open={known !== undefined || again !== undefined || failed !== undefined}
      >
        <summary>{known === undefined ? (again?.title ?? 'New scenario') : `Edit ${known.name}`}</summary>
        {again !== undefined && <Hits context={context} again={again} />}
        <Act
          place={place}
          calls={[
            'PUT /scenarios/{name} {definition}',
            ...(again === undefined ? [] : ['PUT /scenarios/active/{name}']),
          ]}
          canUndo
          done={
            again === undefined
              ? 'Scenario saved in this session. Switch it on below.'
              : 'Scenario saved in this session, and switched on.'
          }
          to={again === undefined ? undefined : place.to('scenarios')}
          class="stack"
        >
          <input
            type="hidden"
            name="base"
            value={isConflict ? saved : fieldOf(notice, 'base', toDefinitionText(known))}
          />
          <input type="hidden" name="baseOf" value={isConflict ? name : fieldOf(notice, 'baseOf', known?.name ?? '')} />
          <label for="scenario-name">Name</label>
          <input
            id="scenario-name"
            name="name"
            required
            pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
            value={name}
            placeholder="my-scenario"
            autocomplete="off"
          />
          <Editor id="definition" label="Definition, as in a scenario file" text={text} problem={failed?.problem} />
          {isConflict && saved !== '' && <Both saved={saved} own={text} />}
          <div class="row-of">
            <button class="button primary">
              {isConflict && saved !== '' ? 'Overwrite with mine' : again === undefined ? 'Save' : 'Save and switch on'}
            </button>
            {(known !== undefined || again !== undefined || isConflict) && (
              <a class="button" href={place.to('scenarios')}>
                {isConflict ? 'Discard mine' : 'Cancel'}
              </a>
            )}
            <span class="quiet">Overrides a scenario of the same name, in this session only.</span>
          </div>
        </Act>
      </details>
    </>
  )
}
