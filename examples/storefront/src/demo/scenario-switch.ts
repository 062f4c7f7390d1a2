import { element } from '../ui/element.ts'
import { say } from '../ui/notice.ts'
import { createDashboardLink } from './dashboard-link.ts'
import { activateScenarios, listScenarios, resetSession } from './mock-admin.ts'
import type { Scenario } from './mock-admin.ts'

/** The one operation that the shop never calls: a scenario for that alone would have no effect here. */
const UNUSED = 'postComplex'

const isMet = ({ rules }: Scenario): boolean =>
  rules.some(({ match }) => {
    const operations = match?.operation === undefined ? undefined : [match.operation].flat()
    return operations === undefined || operations.some((operation) => operation !== UNUSED)
  })

const NONE = 'none'

export interface ScenarioSwitch {
  readonly root: HTMLElement
  /** Shows the scenarios that are active now: another page, such as the dashboard, can change them too. */
  refresh(): Promise<void>
}

/**
 * The switch in the corner selects the scenario of this visitor's session. It shows every state of the shop in a demo, or
 * to a designer or tester; a real shop does not have it.
 *
 * @param onChange called when the scenario changes, to show its effect
 */
export function createScenarioSwitch(onChange: () => void): ScenarioSwitch {
  const current = element('span', { class: 'current' }, '…')
  const options = element('fieldset', {}, element('legend', {}, 'What goes wrong'))
  const panel = element(
    'div',
    { class: 'panel', id: 'scenario-panel' },
    options,
    element('button', { type: 'button', class: 'quiet', onclick: () => void reset() }, 'Reset data and scenario'),
  )
  const toggle = element(
    'button',
    {
      type: 'button',
      'aria-expanded': 'false',
      'aria-controls': panel.id,
      onclick: () => setOpen(panel.hidden !== false),
    },
    'Scenario: ',
    current,
  )
  panel.hidden = true

  function setOpen(isOpen: boolean): void {
    panel.hidden = !isOpen
    toggle.setAttribute('aria-expanded', String(isOpen))
  }

  async function choose(name: string): Promise<void> {
    await activateScenarios(name === NONE ? [] : [name])
    await refresh()
    say(name === NONE ? 'Everything works again.' : `Scenario ${name} is active.`)
    onChange()
  }

  async function reset(): Promise<void> {
    await resetSession()
    await refresh()
    say('Data and scenario were reset.')
    onChange()
  }

  function toOption(name: string, title: string): HTMLElement {
    const id = `scenario-${name}`
    return element(
      'div',
      { class: 'option' },
      element('input', {
        type: 'radio',
        name: 'scenario',
        id,
        value: name,
        'aria-describedby': `${id}-hint`,
        onchange: () => void choose(name),
      }),
      element('label', { for: id }, title),
      element('p', { class: 'hint', id: `${id}-hint` }, name),
    )
  }

  let asked = 0
  let offered = ''

  async function refresh(): Promise<void> {
    asked += 1
    const own = asked
    // Without a connection, the last answer stays.
    const told = await listScenarios().catch(() => undefined)
    if (told === undefined || own !== asked) return
    const { active, scenarios } = told
    current.textContent = active.length > 0 ? active.join(', ') : NONE
    const met = scenarios.filter(isMet)
    const names = met.map(({ name }) => name).join()
    if (names !== offered) {
      offered = names
      const [legend = ''] = options.children
      options.replaceChildren(
        legend,
        toOption(NONE, 'Everything works'),
        ...met.map(({ name, title = name }) => toOption(name, title)),
      )
    }
    for (const radio of options.querySelectorAll('input')) radio.checked = radio.value === current.textContent
  }

  void createDashboardLink().then((link) => panel.prepend(link))
  const root = element(
    'aside',
    {
      class: 'scenario',
      lang: 'en-GB',
      'aria-label': 'Demo',
      onkeydown(event) {
        if (!(event instanceof KeyboardEvent) || event.key !== 'Escape') return
        setOpen(false)
        toggle.focus()
      },
    },
    panel,
    toggle,
  )
  return { root, refresh }
}
