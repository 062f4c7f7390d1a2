import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { go, toHere, toView, useAddress, useUnsaved } from '../../address.ts'
import { useAction, useLive, useResource } from '../../live.ts'
import { Button, Chip, Link, Switch } from '../../parts/controls.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Editor } from '../../parts/editor.tsx'
import { TextField, valueOf } from '../../parts/form.tsx'
import { Card, Empty, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { searchScenarios, switchScenario, toCounterText, toDefinitionText } from './scenario-data.ts'
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

interface ActiveProps {
  readonly active: readonly string[]
  readonly act: Act
}

/** The active scenarios in the order in which they apply, as links to their rules. */
const ActiveOrder = ({ active, act }: ActiveProps) => {
  const { source } = useLive()
  const move = (name: string, where: 'before' | 'after', neighbor = '') =>
    void act(() =>
      source.send('PUT', `/scenarios/active/${encodeURIComponent(name)}?${where}=${encodeURIComponent(neighbor)}`),
    )
  return (
    <section class="line" aria-label="Active, in this order">
      <h2>Active</h2>
      {active.length === 0 && <p class="quiet">none: requests get their usual responses</p>}
      <ol class="chips">
        {active.map((name, at) => (
          <li key={name} class="line">
            <Chip href={toHere({ scenario: name })}>{name}</Chip>
            {active.length > 1 && !source.isReadOnly && (
              <>
                <Button
                  kind="plain"
                  isSmall
                  icon="up"
                  label={`Move ${name} earlier`}
                  isDisabled={at === 0}
                  onClick={() => move(name, 'before', active[at - 1])}
                />
                <Button
                  kind="plain"
                  isSmall
                  icon="down"
                  label={`Move ${name} later`}
                  isDisabled={at === active.length - 1}
                  onClick={() => move(name, 'after', active[at + 1])}
                />
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

interface ScenarioProps {
  readonly scenario: ListedScenario
  readonly list: ScenarioOverview
  /** Whether the address names it. */
  readonly isMarked: boolean
  readonly isEdited: boolean
  readonly act: Act
}

/** A scenario with its switch, its rules and what they did, and its editor if it is open. */
function ScenarioItem({ scenario, list, isMarked, isEdited, act }: ScenarioProps) {
  const { name, description, source: origin, rules } = scenario
  const { source } = useLive()
  const item = useRef<HTMLLIElement>(null)
  const isOn = list.active.includes(name)
  const isDeleted = !list.scenarios.some((one) => one.name === name)
  useLayoutEffect(() => {
    if (isMarked || isEdited) item.current?.scrollIntoView({ block: isEdited ? 'start' : 'nearest' })
  }, [isMarked, isEdited])
  return (
    <li
      ref={item}
      class="scenario"
      id={`scenario-${name}`}
      data-on={isOn ? '' : undefined}
      data-open={isMarked ? '' : undefined}
    >
      <Switch
        label={name}
        isOn={isOn}
        isDisabled={source.isReadOnly || isDeleted}
        onChange={(on) => void act(() => switchScenario(source, name, on), `${name} is ${on ? 'on' : 'off'}.`)}
      />
      <div>
        <h2>
          {name} {origin === 'session' && <span class="tag">this session</span>}{' '}
          {isOn && <span class="tag met">active</span>} {isDeleted && <span class="tag">deleted</span>}
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
        </div>
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
  const all = list === undefined ? [] : searchScenarios(list, search)
  const found = kept === undefined || kept === null || all.includes(kept) ? all : [kept, ...all]
  const isUnknown = list !== undefined && edit !== undefined && edit !== 'new' && kept === undefined
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
      <SearchField
        label="Search scenarios"
        placeholder="Search: name, description, operation, status"
        value={search}
        onSearch={(text) => go(toHere({ search: text }), 'replace')}
      />
      <ErrorNotice error={error ?? failure} />
      {isUnknown && <ErrorNotice error={`Unknown scenario "${edit}".`} />}
      {list !== undefined && edit === 'new' && <ScenarioEditor list={list} name="" />}
      {list !== undefined && <ActiveOrder active={list.active} act={run} />}
      {list !== undefined && found.length === 0 && <Empty title="No scenario matches the search" />}
      {found.length > 0 && list !== undefined && (
        <ul class="card flush scenarios" aria-label="All scenarios">
          {found.map((scenario) => (
            <ScenarioItem
              key={scenario.name}
              scenario={scenario}
              list={list}
              isMarked={scenario.name === params.get('scenario')}
              isEdited={scenario.name === edit}
              act={run}
            />
          ))}
        </ul>
      )}
    </>
  )
}
