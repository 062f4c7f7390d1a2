import { Empty, ViewHead } from '../../parts/layout.tsx'

export const CoverageView = () => (
  <>
    <ViewHead title="Coverage" />
    <Empty title="Not built yet" />
  </>
)
