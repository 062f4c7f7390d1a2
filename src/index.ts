import './util/supported-node.ts'
export type { OperationId } from './service/contract/endpoints.ts'
export type { HttpMethod, ScopeName } from './service/contract/endpoint.ts'
export type { ArrayTestType, ObjectEntry } from './service/contract/models.ts'
export type { TermFacetResult } from './service/contract/results.ts'
export type {
  Cart,
  LineItem,
  Money,
  ObjectTestType,
  OutOfOrderPropertiesTestType,
  PagedResult,
  QueryResult,
  Resource,
  ResourceDraft,
  SearchResult,
  UpdateAction,
  UpdateRequest,
  Variant,
} from './service/contract/types.ts'
export type { AuthMode } from './service/auth/authenticate.ts'
export type { ErrorEnvelope } from './service/http/envelope.ts'
export { SetupError } from './errors.ts'
export type { ErrorItem } from './errors.ts'
export type { Connection } from './service/http/connection.ts'
export type { Delay } from './service/http/connection.ts'
export type { FaultName } from './service/http/connection.ts'
export type { CoverageReport } from './sessions/journal/coverage-report.ts'
export type { JournalEntry, LoggedHeaders, LoggedResponse } from './sessions/journal/wiremock-json.ts'
export type {
  PatternSource as RequestPattern,
  ValuePatternSource as ValuePattern,
} from './sessions/journal/patterns.ts'
export type { LogLine } from './sessions/journal/record.ts'
export { createMock } from './mock.ts'
export type { Mock } from './mock.ts'
export type { MockOptions } from './app/options/options.ts'
export { defineConfig } from './app/options/options.ts'
export type { Config } from './app/options/options.ts'
export type { ScenarioDefinition } from './service/scenarios/schema.ts'
export type { TestInfo, TestOutcome } from './sessions/session-test.ts'
export type { Identity } from './service/scenarios/preferred.ts'
export { connectMock } from './admin/client/session-client.ts'
export type { ConnectedMock, ConnectOptions } from './admin/client/session-client.ts'
export type {
  ClockHandle,
  ProjectPlace,
  ReportedTest,
  ResourceVersion,
  SessionHandle,
  SnapshotInfo as Snapshot,
  TestReport,
  TestSetup,
  VersionWriter,
} from './admin/client/session-handle.ts'
export type { SourceTexts } from './sessions/sources.ts'
export type { Persistence } from './service/state/kept-state.ts'
export type { ResourceRecord } from './service/state/records.ts'
