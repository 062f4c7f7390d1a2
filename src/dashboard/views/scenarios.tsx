import type { Scenario } from '../../scenarios/schema.ts'
import { toActivation, toMove, toSwitch } from '../changes.ts'
import { Act } from '../parts/act.tsx'
import { Icon } from '../parts/icon.tsx'
import type { PageAddress } from '../place.ts'
import { toCounterText, toRuleText } from '../rule-text.ts'
import { activeOf } from '../view-context.ts'
import type { ViewContext } from '../view-context.ts'
import { ScenarioEditor } from './scenario-editor.tsx'

const SOURCES = { 'built-in': 'built in', file: 'your file', session: 'this session' } as const

const Rules = ({ context, scenario }: { readonly context: ViewContext; readonly scenario: Scenario }) => (
  <ul class="rules">
    {scenario.rules.map((rule) => {
      const { match, often, effect } = toRuleText(rule)
      const counter = context.session.scenarios.runner.counter(scenario, rule)
      return (
        <li>
          <span class="rule-match">{match}</span>
          <span class="rule-effect">
            {effect}
            {often !== '' && <em> {often}</em>}
          </span>
          <span class={`counter${counter.fired > 0 ? ' fired' : ''}`}>{toCounterText(counter)}</span>
        </li>
      )
    })}
  </ul>
)

interface ScenarioLineProps {
  readonly context: ViewContext
  readonly scenario: Scenario
  readonly active: readonly string[]
}

interface MoveProps {
  readonly place: PageAddress
  readonly name: string
  readonly to: 'before' | 'after'
  /** The neighbour that it moves past; undefined at the end of the list. */
  readonly other: string | undefined
}

/** Moves an active scenario up or down. */
const Move = ({ place, name, to, other }: MoveProps) => {
  const when = to === 'before' ? 'earlier' : 'later'
  return (
    <Act place={place} calls={other === undefined ? [] : [toMove(name, to, other)]} done={`${name} moved ${when}.`}>
      <button class="button small square" aria-label={`Move ${name} ${when}`} disabled={other === undefined}>
        <Icon name={to === 'before' ? 'up' : 'down'} />
      </button>
    </Act>
  )
}

/** The position of an active scenario, and buttons that change it. */
const Order = ({ context: { place }, scenario: { name }, active }: ScenarioLineProps) => {
  const at = active.indexOf(name)
  return (
    <span class="order">
      <span class="position" title="Rules apply in this order">
        {at + 1}
      </span>
      <Move place={place} name={name} to="before" other={active[at - 1]} />
      <Move place={place} name={name} to="after" other={active[at + 1]} />
    </span>
  )
}

const Line = ({ context, scenario, active }: ScenarioLineProps) => {
  const { place } = context
  const { name, description, source } = scenario
  const isOn = active.includes(name)
  return (
    <li class="scenario" id={`scenario-${name}`} data-on={isOn ? '' : undefined}>
      <Act place={place} calls={[toSwitch(name, isOn ? 'off' : 'on')]} done={`${name} is ${isOn ? 'off' : 'on'}.`}>
        <button class="switch" role="switch" aria-checked={String(isOn)} aria-label={name}>
          <span class="knob" />
        </button>
      </Act>
      <div class="scenario-text">
        <h2>
          {name} <span class="tag">{SOURCES[source]}</span>
        </h2>
        <p>{description}</p>
        <Rules context={context} scenario={scenario} />
      </div>
      <div class="scenario-tools">
        {isOn && active.length > 1 && <Order context={context} scenario={scenario} active={active} />}
        <a class="button small" href={`${place.to('scenarios', { edit: name })}#editor`}>
          Edit
          <span class="sr"> {name}</span>
        </a>
        {source === 'session' && (
          <Act
            place={place}
            calls={[`DELETE /scenarios/${encodeURIComponent(name)}`]}
            canUndo
            done={`${name} deleted.`}
            to={context.param('edit') === name ? place.to('scenarios') : undefined}
          >
            <button class="button small">
              Delete<span class="sr"> {name}</span>
            </button>
          </Act>
        )}
      </div>
    </li>
  )
}

/**
 * Every scenario; those of the session replace files of the same name. Switching one does not move it, so that it stays
 * under the pointer.
 */
function listScenarios({ parts, session }: ViewContext): readonly Scenario[] {
  const { defined } = session.scenarios
  return [...defined.values(), ...parts.catalog.all().filter(({ name }) => !defined.has(name))]
}

/** All scenarios, with switches and counters. */
export const ScenariosView = ({ context }: { readonly context: ViewContext }) => {
  const { place } = context
  const active = activeOf(context)
  const scenarios = listScenarios(context)
  return (
    <>
      <div class="head-line">
        <h1>Scenarios</h1>
        <div class="tools" id="scenario-tools" data-live>
          <Act place={place} calls={['POST /scenarios/reset']} done="Counters reset.">
            <button class="button">Reset counters</button>
          </Act>
          <Act place={place} calls={[toActivation([])]} canUndo done="All scenarios are off.">
            <button class="button" disabled={active.length === 0}>
              All off
            </button>
          </Act>
        </div>
      </div>
      <p class="lead">
        A scenario changes how the mock responds to this session. Active scenarios apply in the order in which they were
        switched on. Switching one on resets its counters.
      </p>
      <ScenarioEditor context={context} scenarios={scenarios} />
      <ul class="scenarios" id="scenarios" data-live>
        {scenarios.map((scenario) => (
          <Line context={context} scenario={scenario} active={active} />
        ))}
      </ul>
    </>
  )
}
