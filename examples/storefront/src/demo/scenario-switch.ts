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

/**
 * The switch in the corner selects the scenario of this visitor's session. It shows every state of the shop in a demo, or
 * to a designer or tester; a real shop does not have it.
 *
 * @param onChange called when the scenario changes, to show its effect
 */
export function createScenarioSwitch(onChange: () => void): HTMLElement {
  const current = element('span', { class: 'current' }, NONE)
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
    current.textContent = name
    say(name === NONE ? 'Everything works again.' : `Scenario ${name} is active.`)
    onChange()
  }

  async function reset(): Promise<void> {
    await resetSession()
    await fill()
    say('Data and scenario were reset.')
    onChange()
  }

  function toOption(name: string, description: string, active: string): HTMLElement {
    const id = `scenario-${name}`
    return element(
      'div',
      { class: 'option' },
      element('input', {
        type: 'radio',
        name: 'scenario',
        id,
        checked: name === active,
        'aria-describedby': `${id}-hint`,
        onchange: () => void choose(name),
      }),
      element('label', { for: id }, name),
      element('p', { class: 'hint', id: `${id}-hint` }, description),
    )
  }

  async function fill(): Promise<void> {
    const { active, scenarios } = await listScenarios()
    const [first = NONE] = active
    current.textContent = active.length > 1 ? active.join(', ') : first
    const [legend = ''] = options.children
    options.replaceChildren(
      legend,
      toOption(NONE, 'Everything works', first),
      ...scenarios.filter(isMet).map(({ name, description }) => toOption(name, description, first)),
    )
  }

  void fill()
  void createDashboardLink().then((link) => panel.prepend(link))
  return element(
    'aside',
    {
      class: 'scenario',
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
}
