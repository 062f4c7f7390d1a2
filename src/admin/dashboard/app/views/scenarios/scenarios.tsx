import { useRef, useState } from 'hono/jsx/dom'
import { go, toHere, toView, useAddress } from '../../address.ts'
import { useAction, useLive, useResource } from '../../live.ts'
import { Button, Link, Switch } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Editor } from '../../parts/editor.tsx'
import { TextField, valueOf } from '../../parts/form.tsx'
import { Card, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { switchScenario, toCounterText, toDefinitionText, toOrdered } from './scenario-data.ts'
import type { ListedScenario, ScenarioOverview } from './scenario-data.ts'

const EXAMPLE_RULE = { match: { operation: 'updateResource' }, times: 2, effect: { answer: { status: 503 } } }
const TEMPLATE = JSON.stringify({ description: 'Updates fail with 503, twice', rules: [EXAMPLE_RULE] }, undefined, 2)

const toScenarioPath = (name: string): string => `/scenarios/${encodeURIComponent(name)}`

interface EditProps {
  readonly list: ScenarioOverview
  /** Empty for a new one. */
  readonly name: string
}

/** Writes or edits a scenario of this session. */
function ScenarioEditor({ list, name }: EditProps) {
  const { source } = useLive()
  const [newName, setName] = useState('')
  const used = name === '' ? newName.trim() : name
  const found = list.scenarios.find((one) => one.name === name)
  return (
    <Card
      title={name === '' ? 'New scenario' : `Edit ${name}`}
      tools={<Button kind="plain" icon="cross" label="Close" onClick={() => go(toHere({ edit: undefined }))} />}
    >
      <p class="quiet">
        {found !== undefined && found.source !== 'session' && 'Saving overrides the file in this session. '}
        The definition lasts until the session is reset.
      </p>
      {name === '' && (
        <TextField
          label="Name"
          value={newName}
          placeholder="teapot"
          onInput={(event: Event) => setName(valueOf(event))}
        />
      )}
      <Editor
        label="Definition"
        saved={toDefinitionText(list, used)}
        first={name === '' ? TEMPLATE : ''}
        load={async () => toDefinitionText(JSON.parse(await source.readText('/scenarios')) as ScenarioOverview, used)}
        check={(text) => source.send('PUT', `${toScenarioPath(used === '' ? 'new' : used)}?check=true`, text)}
        save={async (text) => {
          if (used === '') throw new Error('Enter a name.')
          await source.send('PUT', toScenarioPath(used), text)
        }}
        done={`${used} saved.`}
        onSaved={() => go(toView('scenarios', { scenario: used }), 'replace')}
      />
    </Card>
  )
}

interface ScenarioProps {
  readonly scenario: ListedScenario
  readonly active: readonly string[]
  readonly isMarked: boolean
  readonly act: (write: () => Promise<unknown>, done?: string) => Promise<boolean>
}

/** A scenario with its switch, its rules and what they did. */
function ScenarioItem({
  scenario: { name, description, source: origin, rules },
  active,
  isMarked,
  act,
}: ScenarioProps) {
  const { source } = useLive()
  const at = active.indexOf(name)
  const move = (where: 'before' | 'after', neighbor: string | undefined) =>
    void act(() =>
      source.send(
        'PUT',
        `/scenarios/active/${encodeURIComponent(name)}?${where}=${encodeURIComponent(neighbor ?? '')}`,
      ),
    )
  return (
    <li
      class="scenario"
      id={`scenario-${name}`}
      data-on={at === -1 ? undefined : ''}
      data-open={isMarked ? '' : undefined}
    >
      <Switch
        label={name}
        isOn={at !== -1}
        isDisabled={source.isReadOnly}
        onChange={(isOn) => void act(() => switchScenario(source, name, isOn), `${name} is ${isOn ? 'on' : 'off'}.`)}
      />
      <div>
        <h2>
          {name} {origin === 'session' && <span class="tag">this session</span>}
        </h2>
        <p>{description}</p>
        <ul class="rules">
          {rules.map(({ text, counter }) => (
            <li>
              <code>{text.match}</code>
              <span>
                {text.effect}
                {text.often !== '' && <span class="quiet">, {text.often}</span>}
              </span>
              <span class={counter.fired > 0 ? 's2' : 'quiet'}>{toCounterText(counter)}</span>
            </li>
          ))}
        </ul>
      </div>
      {!source.isReadOnly && (
        <div class="tools">
          {at !== -1 && active.length > 1 && (
            <>
              <Button
                kind="plain"
                icon="up"
                label={`Move ${name} earlier`}
                isDisabled={at === 0}
                onClick={() => move('before', active[at - 1])}
              />
              <Button
                kind="plain"
                icon="down"
                label={`Move ${name} later`}
                isDisabled={at === active.length - 1}
                onClick={() => move('after', active[at + 1])}
              />
            </>
          )}
          {origin === 'session' && (
            <ConfirmButton
              name={name}
              confirm="Delete scenario"
              done={`${name} deleted.`}
              act={() => source.send('DELETE', toScenarioPath(name))}
            >
              Its definition in this session is deleted. This cannot be undone.
            </ConfirmButton>
          )}
          <Link class="button small" href={toHere({ edit: name })}>
            Edit<span class="sr"> {name}</span>
          </Link>
        </div>
      )}
    </li>
  )
}

export function ScenariosView() {
  const { source } = useLive()
  const { params } = useAddress()
  // Counters change with each request.
  const { value: list, error } = useResource<ScenarioOverview>('/scenarios', ['scenario', 'state', 'request'])
  const { run, error: failure } = useAction()
  const edit = params.get('edit') ?? undefined
  const opened = useRef<string | undefined>(undefined)
  const exists = list !== undefined && edit !== undefined && (edit === 'new' || toDefinitionText(list, edit) !== '')
  if (exists) opened.current = edit
  // A scenario that is deleted while it is edited stays open.
  const isUnknown = list !== undefined && edit !== undefined && opened.current !== edit
  const send = (method: string, path: string, done: string, body?: unknown) =>
    void run(() => source.send(method, path, body), done)
  return (
    <>
      <ViewHead title="Scenarios">
        {!source.isReadOnly && list !== undefined && (
          <>
            <Button
              isDisabled={list.active.length === 0}
              onClick={() => send('PUT', '/scenarios/active', 'All scenarios are off.', { active: [] })}
            >
              All off
            </Button>
            {list.active.join() !== list.default.join() && (
              <Button
                onClick={() => send('DELETE', '/scenarios/active', 'The scenarios of the command line are active.')}
              >
                Defaults
              </Button>
            )}
            <Button onClick={() => send('POST', '/scenarios/reset', 'Counters reset.')}>Reset counters</Button>
            <Link class="button primary" href={toHere({ edit: 'new' })}>
              New scenario
            </Link>
          </>
        )}
      </ViewHead>
      <ErrorNotice error={error ?? failure} />
      {isUnknown && <ErrorNotice error={`Unknown scenario "${edit}".`} />}
      {list !== undefined && edit !== undefined && !isUnknown && (
        <ScenarioEditor key={edit} list={list} name={edit === 'new' ? '' : edit} />
      )}
      {list !== undefined && (
        <ul class="card flush" aria-label="All scenarios">
          {toOrdered(list).map((scenario) => (
            <ScenarioItem
              key={scenario.name}
              scenario={scenario}
              active={list.active}
              isMarked={scenario.name === params.get('scenario')}
              act={run}
            />
          ))}
        </ul>
      )}
    </>
  )
}
