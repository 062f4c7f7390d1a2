import { Empty, ViewHead } from '../../parts/layout.tsx'

export const BoardView = () => (
  <>
    <ViewHead title="Tests" />
    <Empty title="Not built yet" />
  </>
)
