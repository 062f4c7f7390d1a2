import { VERSION } from '../../version.ts'
import { toSwitch } from '../changes.ts'
import { toHere, views, viewTitles } from '../place.ts'
import type { View } from '../place.ts'
import { activeOf } from '../view-context.ts'
import type { ViewContext } from '../view-context.ts'
import type { Theme } from '../theme.ts'
import { Act, Confirm } from './act.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

const THEMES = [
  ['auto', 'screen', 'System colours'],
  ['light', 'sun', 'Light colours'],
  ['dark', 'moon', 'Dark colours'],
] as const satisfies readonly (readonly [Theme, IconName, string])[]

/** The count next to the name of a view. */
function toCount(view: View, context: ViewContext): string {
  if (view === 'requests') return String(context.session.journal.size)
  if (view === 'scenarios') return activeOf(context).length === 0 ? '' : `${activeOf(context).length} on`
  return view === 'sessions' ? String([...context.parts.sessions.all()].length) : ''
}

const Navigation = ({ context }: { readonly context: ViewContext }) => (
  <nav aria-label="Views">
    <ul class="nav">
      {views.map((view) => (
        <li>
          <a href={context.place.to(view)} aria-current={view === context.place.view ? 'page' : undefined}>
            <Icon name={view} />
            <span>{viewTitles[view]}</span>
            <span
              class="count"
              id={`count-${view}`}
              // The list counts for itself.
              data-live={view === 'requests' && context.place.view === 'requests' ? undefined : true}
            >
              {toCount(view, context)}
            </span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** The active scenarios, each with a button that switches it off. */
const Active = ({ context }: { readonly context: ViewContext }) => {
  const { place } = context
  const active = activeOf(context)
  return (
    <section class="active" id="active" data-live aria-label="Active scenarios">
      <h2>Active</h2>
      {active.length === 0 ? (
        <p class="quiet">No active scenarios</p>
      ) : (
        <ul class="chips">
          {active.map((name) => (
            <li id={`active-${name}`}>
              <Act place={place} class="chip on" calls={[toSwitch(name, 'off')]} done={`${name} is off.`}>
                <a href={`${place.to('scenarios')}#scenario-${name}`}>{name}</a>
                <button aria-label={`Switch ${name} off`}>
                  <Icon name="cross" />
                </button>
              </Act>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const Themes = ({ context: { place }, theme }: { readonly context: ViewContext; readonly theme: Theme }) => (
  <form method="post" action={toHere(place)} class="themes" data-act>
    <span class="sr">Colours</span>
    {THEMES.map(([name, icon, label]) => (
      <button name="theme" value={name} aria-pressed={String(theme === name)} aria-label={label} title={label}>
        <Icon name={icon} />
      </button>
    ))}
  </form>
)

/** The navigation, the active scenarios and the reset, on every view. */
export const Sidebar = ({ context, theme }: { readonly context: ViewContext; readonly theme: Theme }) => {
  const { place } = context
  return (
    <header class="side">
      <a class="brand" href={place.to('requests')}>
        <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
          <path d="M4 7.5L12 3l8 4.5v9L12 21l-8-4.5z" />
          <path d="M4 7.5l8 4.5 8-4.5M12 12v9" />
        </svg>
        <span>
          resource-mock <small>{VERSION}</small>
        </span>
      </a>
      <Navigation context={context} />
      <div class="side-rest">
        <section class="where" aria-label="Session">
          <h2>Session</h2>
          <a class="session-name" href={place.to('sessions')} title="Switch to another session">
            {place.session}
          </a>
        </section>
        <Active context={context} />
        <div class="side-foot">
          <Confirm label="Reset session" loss="Undo can restore data and scenarios. The requests are lost.">
            <Act
              place={place}
              calls={['POST /reset']}
              canUndo
              done="Session reset. Undo restores its data and scenarios, not its requests."
            >
              <button class="button danger">Reset now</button>
            </Act>
          </Confirm>
          <Themes context={context} theme={theme} />
        </div>
      </div>
    </header>
  )
}
