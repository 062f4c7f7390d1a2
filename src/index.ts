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
export type { AuthMode } from './auth/judge.ts'
export type { ErrorEnvelope } from './http/envelope.ts'
export { SetupError } from './errors.ts'
export type { ErrorItem } from './errors.ts'
export type { Connection } from './http/connection.ts'
export type { Delay } from './http/delay.ts'
export type { FaultName } from './http/fault.ts'
export type { CoverageReport } from './journal/coverage-report.ts'
export type {
  JournaledRequest as JournalEntry,
  LoggedHeaders,
  LoggedRequest,
  LoggedResponse,
} from './journal/logged-request.ts'
export type { PatternSource as RequestPattern, ValuePatternSource as ValuePattern } from './journal/pattern-source.ts'
export type { RequestLog } from './journal/request-log.ts'
export { createMock } from './mock.ts'
export type { Mock } from './mock.ts'
export type { MockOptions } from './options/options.ts'
export { defineConfig } from './options/define-config.ts'
export type { Config } from './options/define-config.ts'
export type { ScenarioDefinition } from './scenarios/definition.ts'
export type { Identity } from './scenarios/preference.ts'
export { connectMock } from './client/connect.ts'
export type { ConnectedMock, ConnectOptions } from './client/connect.ts'
export type {
  ClockHandle,
  ProjectPlace,
  ResourceVersion,
  SessionHandle,
  SnapshotInfo as Snapshot,
  VersionWriter,
} from './client/session-handle.ts'
export type { SourceTexts } from './sessions/sources.ts'
export type { Lines, Persistence } from './state/state-adapter.ts'
export type { ResourceRecord } from './state/resource-record.ts'
