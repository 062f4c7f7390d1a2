import { Empty, ViewHead } from '../../parts/layout.tsx'

export const ContractView = () => (
  <>
    <ViewHead title="Contract" />
    <Empty title="Not built yet" />
  </>
)
