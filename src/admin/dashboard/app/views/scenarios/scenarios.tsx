import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { go, toHere, toView, useAddress, useUnsaved } from '../../address.ts'
import { useAction, useLive, useResource } from '../../live.ts'
import { Button, Link, Switch } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Editor } from '../../parts/editor.tsx'
import { TextField, valueOf } from '../../parts/form.tsx'
import { Card, Empty, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { searchScenarios, switchScenario, toCountersText, toCounterText, toDefinitionText } from './scenario-data.ts'
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
  useUnsaved(newName !== '')
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

type Act = (write: () => Promise<unknown>, done?: string) => Promise<boolean>

interface ScenarioProps {
  readonly scenario: ListedScenario
  readonly list: ScenarioOverview
  /** Whether the address names it. */
  readonly isOpen: boolean
  readonly isEdited: boolean
  readonly act: Act
}

/** A scenario with its switch and what it did. When it is open, its rules; its editor if it is edited. */
function ScenarioItem({ scenario, list, isOpen, isEdited, act }: ScenarioProps) {
  const { name, title, description, source: origin, rules } = scenario
  const { source } = useLive()
  const item = useRef<HTMLLIElement>(null)
  const isOn = list.active.includes(name)
  const isDeleted = !list.scenarios.some((one) => one.name === name)
  useLayoutEffect(() => {
    if (isOpen || isEdited) item.current?.scrollIntoView({ block: isEdited ? 'start' : 'nearest' })
  }, [isOpen, isEdited])
  return (
    <li
      ref={item}
      class="scenario"
      id={`scenario-${name}`}
      data-on={isOn ? '' : undefined}
      data-open={isOpen ? '' : undefined}
    >
      <Switch
        label={name}
        isOn={isOn}
        isDisabled={source.isReadOnly || isDeleted}
        onChange={(on) => void act(() => switchScenario(source, name, on), `${name} is ${on ? 'on' : 'off'}.`)}
      />
      <div>
        <h2>
          <Link class="plain" href={toHere({ scenario: isOpen ? undefined : name })}>
            {name}
          </Link>{' '}
          <small>{title}</small> {origin === 'session' && <span class="tag">this session</span>}{' '}
          {isDeleted && <span class="tag">deleted</span>}
        </h2>
        <p class="quiet">{description}</p>
      </div>
      <span class={isOn ? 'good' : 'quiet'}>
        {toCountersText(
          rules.map(({ counter }) => counter),
          isOn,
        )}
      </span>
      <div class="tools">
        {!source.isReadOnly && (
          <>
            {origin === 'session' && !isDeleted && (
              <ConfirmButton
                name={name}
                confirm="Delete scenario"
                done={`${name} deleted.`}
                act={() => source.send('DELETE', toScenarioPath(name))}
              >
                Its definition in this session is deleted. This cannot be undone.
              </ConfirmButton>
            )}
            <Link class="button small" href={toHere({ edit: isEdited ? undefined : name })}>
              {isEdited ? 'Close' : 'Edit'}
              <span class="sr"> {name}</span>
            </Link>
          </>
        )}
      </div>
      {(isOpen || isEdited) && (
        <ul class="rules">
          {rules.map(({ text, counter }) => (
            <li>
              <code>{text.match}</code>
              <span>
                {text.effect}
                {text.often !== '' && <span class="quiet">, {text.often}</span>}
              </span>
              <span class="quiet">{toCounterText(counter, isOn)}</span>
            </li>
          ))}
        </ul>
      )}
      {isEdited && <ScenarioEditor list={list} name={name} />}
    </li>
  )
}

export function ScenariosView() {
  const { source } = useLive()
  const { params } = useAddress()
  // Counters change with each request.
  const { value: list, error } = useResource<ScenarioOverview>('/scenarios', ['scenario', 'state', 'request'])
  const { run, error: failure } = useAction()
  const [edit, search] = [params.get('edit') ?? undefined, params.get('search') ?? '']
  const opened = useRef<ListedScenario | null>(null)
  const edited = list?.scenarios.find(({ name }) => name === edit)
  if (edited !== undefined) opened.current = edited
  // Text is kept if its scenario is deleted, or not found by the search.
  const kept = edited ?? (opened.current?.name === edit ? opened.current : undefined)
  // Those that were on when the view was opened come first; one that is switched stays where it is.
  const first = useRef<readonly string[] | null>(null)
  if (list !== undefined) first.current ??= list.active
  const all = list === undefined ? [] : searchScenarios(list, search, first.current ?? [])
  const found = kept === undefined || kept === null || all.includes(kept) ? all : [kept, ...all]
  const isUnknown = list !== undefined && edit !== undefined && edit !== 'new' && kept === undefined
  return (
    <>
      <ViewHead title="Scenarios">
        {!source.isReadOnly && list !== undefined && (
          <>
            <Button
              isDisabled={list.active.length === 0}
              onClick={() =>
                void run(() => source.send('PUT', '/scenarios/active', { active: [] }), 'All scenarios are off.')
              }
            >
              All off
            </Button>
            <Link class="button primary" href={toHere({ edit: 'new' })}>
              New scenario
            </Link>
          </>
        )}
      </ViewHead>
      <SearchField
        label="Search scenarios"
        placeholder="Search: name, description, operation, status"
        value={search}
        onSearch={(text) => go(toHere({ search: text }), 'replace')}
      />
      <ErrorNotice error={error ?? failure} />
      {isUnknown && <ErrorNotice error={`Unknown scenario "${edit}".`} />}
      {list !== undefined && edit === 'new' && <ScenarioEditor list={list} name="" />}
      {list !== undefined && found.length === 0 && <Empty title="No scenario matches the search" />}
      {found.length > 0 && list !== undefined && (
        <ul class="card flush scenarios" aria-label="All scenarios">
          {found.map((scenario) => (
            <ScenarioItem
              key={scenario.name}
              scenario={scenario}
              list={list}
              isOpen={scenario.name === params.get('scenario')}
              isEdited={scenario.name === edit}
              act={run}
            />
          ))}
        </ul>
      )}
    </>
  )
}
