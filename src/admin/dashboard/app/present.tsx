import { useRef } from 'hono/jsx/dom'
import { go, toHere } from './address.ts'
import { useAction, useLive, useResource } from './live.ts'
import { Link, Switch, useKeys } from './parts/controls.tsx'
import { ErrorNotice } from './parts/layout.tsx'
import { Status } from './parts/status.tsx'
import { toAudienceScenario, toAudienceSentence } from './sentence.ts'
import { switchScenario } from './views/scenarios/scenario-data.ts'
import type { ListedRequest } from './views/requests/entries.ts'
import { toReadableName } from './views/requests/readable.ts'

/** How many requests an audience sees. */
const MOST_PRESENTED = 5

/** The session for an audience: the switches of the scenarios, and the last requests as sentences. */
export function Present() {
  const { source } = useLive()
  const list = useResource<{
    readonly active: readonly string[]
    readonly scenarios: readonly { readonly name: string; readonly description: string }[]
  }>('/scenarios', ['scenario', 'state'])
  const last = useResource<{ readonly requests: readonly ListedRequest[] }>(
    `/requests?summary=true&limit=${MOST_PRESENTED}`,
    ['request', 'state'],
  )
  const { run, error } = useAction()
  const active = list.value?.active ?? []
  /** Those that were on when the page was opened come first; later switching moves none. */
  const first = useRef<readonly string[] | null>(null)
  if (list.value !== undefined) first.current ??= active
  const isChosen = ({ name }: { readonly name: string }): boolean => first.current?.includes(name) === true
  const scenarios = list.value?.scenarios.toSorted((one, other) => Number(isChosen(other)) - Number(isChosen(one)))
  const closed = toHere({ present: undefined })
  useKeys({ Escape: () => go(closed) })
  return (
    <main id="main" class="present">
      <section aria-label="Last requests">
        <h1>What happens</h1>
        <ol class="stack" aria-live="polite">
          {last.value?.requests.map((entry) => (
            <li key={entry.id}>
              {toAudienceSentence({ ...entry, operation: toReadableName(entry) })}
              <Status status={entry.status} />
            </li>
          ))}
        </ol>
        {last.value?.requests.length === 0 && <p class="quiet">No requests yet</p>}
      </section>
      <section aria-label="Scenarios">
        <h2>What should go wrong</h2>
        <ErrorNotice error={error ?? list.error} />
        <ul class="stack">
          {scenarios
            ?.map((scenario) => [scenario.name, toAudienceScenario(scenario)] as const)
            .map(([name, what]) => (
              <li key={name}>
                <Switch
                  label={what}
                  isOn={active.includes(name)}
                  isDisabled={source.isReadOnly}
                  onChange={(isOn) => void run(() => switchScenario(source, name, isOn))}
                />
                <div>
                  {active.includes(name) ? <b>{what}</b> : what} <small class="quiet">{name}</small>
                </div>
              </li>
            ))}
        </ul>
      </section>
      <p class="foot quiet">
        Session {source.session} · <Link href={closed}>Open the dashboard</Link> <kbd class="tag">Esc</kbd>
      </p>
    </main>
  )
}
