import './util/supported-node.ts'
export type { OperationId } from './contract/endpoints.ts'
export type { HttpMethod, ScopeName } from './contract/endpoint.ts'
export type { ArrayTestType, ObjectEntry } from './contract/models.ts'
export type { TermFacetResult } from './contract/results.ts'
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
} from './contract/types.ts'
export type { AuthMode } from './auth/authenticate.ts'
export type { ErrorEnvelope } from './http/envelope.ts'
export { SetupError } from './errors.ts'
export type { ErrorItem } from './errors.ts'
export type { Connection } from './http/connection.ts'
export type { Delay } from './http/connection.ts'
export type { FaultName } from './http/connection.ts'
export type { CoverageReport } from './journal/coverage-report.ts'
export type {
  JournaledRequest as JournalEntry,
  LoggedHeaders,
  LoggedRequest,
  LoggedResponse,
} from './journal/wiremock-json.ts'
export type { PatternSource as RequestPattern, ValuePatternSource as ValuePattern } from './journal/patterns.ts'
export type { RequestLog } from './journal/record.ts'
export { createMock } from './mock.ts'
export type { Mock } from './mock.ts'
export type { MockOptions } from './options/options.ts'
export { defineConfig } from './options/options.ts'
export type { Config } from './options/options.ts'
export type { ScenarioDefinition } from './scenarios/schema.ts'
export type { TestInfo, TestOutcome } from './sessions/runs.ts'
export type { Identity } from './scenarios/preferred.ts'
export { connectMock } from './client/session-client.ts'
export type { ConnectedMock, ConnectOptions } from './client/session-client.ts'
export type {
  ClockHandle,
  ProjectPlace,
  ResourceVersion,
  SessionHandle,
  SnapshotInfo as Snapshot,
  VersionWriter,
} from './client/session-handle.ts'
export type { SourceTexts } from './sessions/sources.ts'
export type { Lines, Persistence } from './state/kept-state.ts'
export type { ResourceRecord } from './state/records.ts'
