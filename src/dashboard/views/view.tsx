import type { View } from '../place.ts'
import type { ViewContext } from '../view-context.ts'
import { ContractView } from './contract.tsx'
import { DataView } from './data.tsx'
import { RequestsView } from './requests.tsx'
import { ScenariosView } from './scenarios.tsx'
import { SessionsView } from './sessions.tsx'

const shown = {
  requests: RequestsView,
  scenarios: ScenariosView,
  data: DataView,
  sessions: SessionsView,
  contract: ContractView,
} as const satisfies Readonly<Record<View, unknown>>

/** The view that the address asks for. */
export const ViewOf = ({ context }: { readonly context: ViewContext }) => {
  const View = shown[context.place.view]
  return <View context={context} />
}
