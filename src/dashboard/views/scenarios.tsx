import type { Scenario } from '../../scenarios/schema.ts'
import { toActivation, toSwitch } from '../changes.ts'
import { Act } from '../parts/act.tsx'
import { Icon } from '../parts/icon.tsx'
import { toCounterText, toRuleText } from '../rule-text.ts'
import { activeOf } from '../show.ts'
import type { Show } from '../show.ts'
import { ScenarioEditor } from './scenario-editor.tsx'

const SOURCES = { 'built-in': 'built in', file: 'your file', session: 'this session' } as const

/** A list with the entry at one place and the one before it swapped. */
function raise(names: readonly string[], at: number): readonly string[] {
  const raised = [...names]
  const [name] = raised.splice(at, 1)
  if (name !== undefined) raised.splice(at - 1, 0, name)
  return raised
}

const Rules = ({ show, scenario }: { readonly show: Show; readonly scenario: Scenario }) => (
  <ul class="rules">
    {scenario.rules.map((rule) => {
      const { match, often, effect } = toRuleText(rule)
      const counter = show.session.stageplay.player.counter(rule)
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

interface LineProps {
  readonly show: Show
  readonly scenario: Scenario
  readonly active: readonly string[]
}

/** The order of an active scenario among the others. */
const Order = ({ show: { place }, scenario: { name }, active }: LineProps) => {
  const at = active.indexOf(name)
  return (
    <span class="order">
      <span class="position" title="Rules act in this order">
        {at + 1}
      </span>
      <Act place={place} steps={[toActivation(raise(active, at))]} done={`${name} acts earlier.`}>
        <button class="button small square" aria-label={`Let ${name} act earlier`} disabled={at === 0}>
          <Icon name="up" />
        </button>
      </Act>
      <Act place={place} steps={[toActivation(raise(active, at + 1))]} done={`${name} acts later.`}>
        <button class="button small square" aria-label={`Let ${name} act later`} disabled={at === active.length - 1}>
          <Icon name="down" />
        </button>
      </Act>
    </span>
  )
}

const Line = ({ show, scenario, active }: LineProps) => {
  const { place } = show
  const { name, description, source } = scenario
  const isOn = active.includes(name)
  return (
    <li class="scenario" id={`scenario-${name}`} data-on={isOn ? '' : undefined}>
      <Act place={place} steps={[toSwitch(name, isOn ? 'off' : 'on')]} done={`${name} is ${isOn ? 'off' : 'on'}.`}>
        <button class="switch" role="switch" aria-checked={String(isOn)} aria-label={name}>
          <span class="knob" />
        </button>
      </Act>
      <div class="scenario-text">
        <h2>
          {name} <span class="tag">{SOURCES[source]}</span>
        </h2>
        <p>{description}</p>
        <Rules show={show} scenario={scenario} />
      </div>
      <div class="scenario-tools">
        {isOn && active.length > 1 && <Order show={show} scenario={scenario} active={active} />}
        <a class="button small" href={`${place.to('scenarios', { edit: name })}#editor`}>
          Edit
          <span class="sr"> {name}</span>
        </a>
        {source === 'session' && (
          <Act
            place={place}
            steps={[`DELETE /scenarios/${encodeURIComponent(name)}`]}
            canUndo
            done={`${name} is deleted.`}
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
 * Every scenario, those of the session in the place of files of the same name. Each stays where it is when it is switched,
 * under the pointer that did.
 */
function listScenarios({ parts, session }: Show): readonly Scenario[] {
  const { defined } = session.stageplay
  return [...defined.values(), ...parts.catalog.all().filter(({ name }) => !defined.has(name))]
}

/** What the mock can be made to do, and what it does. */
export const ScenariosView = ({ show }: { readonly show: Show }) => {
  const { place } = show
  const active = activeOf(show)
  const scenarios = listScenarios(show)
  return (
    <>
      <div class="head-line">
        <h1>Scenarios</h1>
        <div class="tools" id="scenario-tools" data-live>
          <Act place={place} steps={['POST /scenarios/reset']} done="Every counter is back at the start.">
            <button class="button">Reset counters</button>
          </Act>
          <Act place={place} steps={[toActivation([])]} canUndo done="Every scenario is off.">
            <button class="button" disabled={active.length === 0}>
              All off
            </button>
          </Act>
        </div>
      </div>
      <p class="lead">
        A scenario changes what the mock does to the requests of this session. Several act in the order in which they
        were switched on; to switch one on begins its counters anew.
      </p>
      <ScenarioEditor show={show} scenarios={scenarios} />
      <ul class="scenarios" id="scenarios" data-live>
        {scenarios.map((scenario) => (
          <Line show={show} scenario={scenario} active={active} />
        ))}
      </ul>
    </>
  )
}
