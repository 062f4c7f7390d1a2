import type { JSX } from 'hono/jsx/jsx-runtime'
import type { IconName } from '../parts/icon.tsx'
import { BoardView } from './board/board.tsx'
import { ContractView } from './contract/contract.tsx'
import { CoverageView } from './coverage/coverage.tsx'
import { DataView } from './data/data.tsx'
import { RequestsView } from './requests/requests.tsx'
import { SendView } from './send/send.tsx'
import { SessionsView } from './sessions/sessions.tsx'
import { ScenariosView } from './scenarios/scenarios.tsx'

interface View {
  /** As in the address: `?view=data`. */
  readonly name: string
  readonly title: string
  readonly icon: IconName
  readonly component: () => JSX.Element
  /** What a share file must have to show it; undefined if no file has it. */
  readonly filePath?: string
}

const requests: View = {
  name: 'requests',
  title: 'Requests',
  icon: 'requests',
  component: RequestsView,
  filePath: '/requests',
}

/** The views, in the order of the navigation. */
export const views: readonly View[] = [
  requests,
  { name: 'board', title: 'Tests', icon: 'tests', component: BoardView, filePath: '/runs' },
  { name: 'sessions', title: 'Sessions', icon: 'sessions', component: SessionsView },
  { name: 'scenarios', title: 'Scenarios', icon: 'scenarios', component: ScenariosView },
  { name: 'data', title: 'Data', icon: 'data', component: DataView },
  { name: 'send', title: 'Send', icon: 'send', component: SendView },
  { name: 'contract', title: 'Contract', icon: 'contract', component: ContractView },
  { name: 'coverage', title: 'Coverage', icon: 'coverage', component: CoverageView, filePath: '/coverage' },
]

/** The view of an address; the first one for an unknown name. */
export const findView = (name: string): View => views.find((view) => view.name === name) ?? requests
