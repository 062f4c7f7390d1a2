import { Empty, ViewHead } from '../../parts/layout.tsx'

export const DataView = () => (
  <>
    <ViewHead title="Data" />
    <Empty title="Not built yet" />
  </>
)
