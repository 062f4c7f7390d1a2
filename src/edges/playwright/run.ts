/** Environment variable with the name of the run. */
export const RUN = 'RESOURCE_MOCK_RUN'

// Playwright's runner loads the tests before it starts the workers, which inherit its environment. In UI mode it does not
// load them, so the workers fall back to its process id.
if (process.env['TEST_WORKER_INDEX'] === undefined) {
  process.env[RUN] ??= `${new Date(performance.timeOrigin).toISOString()} ${process.pid}`
}
