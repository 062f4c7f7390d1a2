import type { JSX } from 'hono/jsx/jsx-runtime'
import type { IconName } from '../parts/icon.tsx'
import { BoardView } from './board/board.tsx'
import { CoverageView } from './coverage/coverage.tsx'
import { DataView } from './data/data.tsx'
import { RequestsView } from './requests/requests.tsx'
import { SendView } from './send/send.tsx'
import { ScenariosView } from './scenarios/scenarios.tsx'

interface View {
  /** As in the address: `?view=data`. */
  readonly name: string
  readonly title: string
  readonly icon: IconName
  readonly component: () => JSX.Element
  /** Whether only a session that has not ended has it. */
  readonly isLive: boolean
  /** What a share file must have to show it; undefined if no file has it. */
  readonly filePath?: string
}

/** The views, in the order of the navigation. */
export const views: readonly [View, ...View[]] = [
  {
    name: 'requests',
    title: 'Requests',
    icon: 'requests',
    component: RequestsView,
    isLive: false,
    filePath: '/requests',
  },
  { name: 'board', title: 'Tests', icon: 'tests', component: BoardView, isLive: false, filePath: '/runs' },
  { name: 'scenarios', title: 'Scenarios', icon: 'scenarios', component: ScenariosView, isLive: false },
  { name: 'data', title: 'Data', icon: 'data', component: DataView, isLive: true },
  { name: 'send', title: 'Send', icon: 'send', component: SendView, isLive: true },
  {
    name: 'coverage',
    title: 'Coverage',
    icon: 'coverage',
    component: CoverageView,
    isLive: false,
    filePath: '/coverage',
  },
]
