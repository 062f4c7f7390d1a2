import { Empty, ViewHead } from '../../parts/layout.tsx'

export const ScenariosView = () => (
  <>
    <ViewHead title="Scenarios" />
    <Empty title="Not built yet" />
  </>
)
