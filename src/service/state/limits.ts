import { SetupError, problem } from '../../errors.ts'
import { NO_BYTES, addSizes, subtractSizes, sumSizes } from './resource.ts'
import type { Size } from './resource.ts'
import { countSnapshotBytes } from './state-data.ts'
import type { Snapshot, StateData } from './state-data.ts'
import type { SessionData, Change } from './change.ts'
import type { ProjectData } from './project-data.ts'

const MEBIBYTE = 1024 * 1024

/** How many bytes sessions may store. */
export interface StateLimits {
  /** Per session, without images. */
  readonly sessionBytes: number
  /** For all sessions, without images. */
  readonly totalBytes: number
  /** Images per session. */
  readonly imageBytes: number
  /** Images of all sessions. */
  readonly totalImageBytes: number
}

/** With more image bytes than this plus as much data, the state would exceed JavaScript's maximum string length. */
const MOST_PERSISTED = 256 * MEBIBYTE

/**
 * The limits of a mock with that many bytes for images.
 *
 * @param isPersisted whether the state is persisted, which writes it as one text
 * @throws {SetupError} if the images exceed what a persisted state can hold.
 */
export function toStateLimits(imageBytes: number, isPersisted: boolean): StateLimits {
  if (isPersisted && imageBytes > MOST_PERSISTED) {
    throw new SetupError(
      `The option imageBytes (--image-bytes) is ${imageBytes}, but a persisted state is limited to ${MOST_PERSISTED} bytes (256mb) of images. Lower it, or remove --persist.`,
    )
  }
  return {
    sessionBytes: 256 * MEBIBYTE,
    totalBytes: 512 * MEBIBYTE,
    imageBytes,
    totalImageBytes: Math.max(MOST_PERSISTED, imageBytes),
  }
}

export const toSize = (data: ReadonlyMap<string, ProjectData> | undefined): Size =>
  data === undefined ? NO_BYTES : sumSizes(Array.from(data.values(), ({ size }) => size))

const toMegabytes = (bytes: number): string => `${Math.floor(bytes / MEBIBYTE)} MB`

/**
 * Tracks the data size of every session in bytes, and refuses writes that exceed the limits.
 *
 * @param freeMemory frees unused data; returns whether it freed any
 */
export function createUsage(limits: StateLimits, freeMemory: () => boolean) {
  const sessions = new Map<string, Size>()
  let total = NO_BYTES

  const isTooMuch = (growth: Size): boolean =>
    (growth.bytes > 0 && total.bytes + growth.bytes > limits.totalBytes) ||
    (growth.imageBytes > 0 && total.imageBytes + growth.imageBytes > limits.totalImageBytes)

  function set(session: string, size: Size): void {
    total = addSizes(subtractSizes(total, sessions.get(session) ?? NO_BYTES), size)
    if (size.bytes === 0 && size.imageBytes === 0) sessions.delete(session)
    else sessions.set(session, size)
  }

  return {
    /**
     * Checks the limits before data is added.
     *
     * @throws {Problem} 413 if the images of one session exceed their limit, 503 for any other limit.
     */
    expectWithinLimits(session: string, growth: Size): void {
      const size = addSizes(sessions.get(session) ?? NO_BYTES, growth)
      if (growth.imageBytes > 0 && size.imageBytes > limits.imageBytes) {
        throw problem.contentTooLarge(
          limits.imageBytes,
          `The images of session "${session}" would exceed ${limits.imageBytes} bytes in total. Reset the session, use another one, or raise --image-bytes.`,
        )
      }
      if (growth.bytes > 0 && size.bytes > limits.sessionBytes) {
        throw problem.overCapacity(
          `Session "${session}" is limited to ${toMegabytes(limits.sessionBytes)} of data, and this write would exceed that. Delete resources, reset the session, or use another one.`,
        )
      }
      while (isTooMuch(growth)) {
        if (freeMemory()) continue
        throw problem.overCapacity(
          `All sessions together are limited to ${toMegabytes(limits.totalBytes)} of data and ${toMegabytes(limits.totalImageBytes)} of images, and this write would exceed that. Reset or delete unused sessions.`,
        )
      }
    },
    /** Records a change in the size of a session's data. */
    add: (session: string, growth: Size): void => set(session, addSizes(sessions.get(session) ?? NO_BYTES, growth)),
    /** Recounts everything. */
    recount(state: StateData): void {
      sessions.clear()
      total = NO_BYTES
      for (const [session, data] of state.sessions) set(session, toSize(data))
    },
  }
}

/** Maximum number of written projects per session. */
export const MAX_PROJECTS = 1000

const NO_PROJECTS: SessionData = new Map()

/**
 * The change in size of a session's data.
 *
 * @param before the project before the change, if it changes one
 */
export function growthOf(state: StateData, session: string, change: Change, before: ProjectData): Size {
  const projects = state.sessions.get(session) ?? NO_PROJECTS
  switch (change.kind) {
    case 'project':
      return subtractSizes(change.data?.size ?? NO_BYTES, projects.get(change.project)?.size ?? NO_BYTES)
    case 'session':
      return subtractSizes(toSize(change.data), toSize(projects))
    case 'restore':
      return subtractSizes(toSize(state.snapshots.get(session)?.get(change.name)?.data), toSize(projects))
    case 'end':
      return subtractSizes(NO_BYTES, toSize(projects))
    case 'snapshot':
    case 'active':
    case 'scenario':
    case 'clock':
      return NO_BYTES
    default:
      return before.growthOf(change)
  }
}

/** @throws {Problem} 503 if a change would exceed the session's limit of projects or snapshots, or their size in bytes. */
export function expectWithinCounts(state: StateData, session: string, change: Change): void {
  const projects = state.sessions.get(session) ?? NO_PROJECTS
  if (change.kind === 'snapshot' && change.takenAt !== undefined) {
    expectSnapshotWithinLimits(state, session, { name: change.name, bytes: countSnapshotBytes(projects) })
  }
  if (!('project' in change) || projects.size < MAX_PROJECTS || projects.has(change.project)) return
  if (change.kind === 'project' && change.data === undefined) return
  throw problem.overCapacity(
    `Session "${session}" has reached the limit of ${MAX_PROJECTS} projects. Reset it, or use another session.`,
  )
}

/** Maximum number per session, not counting {@link RESET_SNAPSHOT}. */
export const MAX_SNAPSHOTS = 100

/** The dashboard takes it before a reset, replacing the previous one. It does not count towards the limit. */
const RESET_SNAPSHOT = 'before-reset'

/** The size limits of snapshots in bytes. */
export interface SnapshotLimits {
  readonly sessionBytes: number
  /** For all sessions. */
  readonly totalBytes: number
}

const LIMITS: SnapshotLimits = { sessionBytes: 256 * MEBIBYTE, totalBytes: 512 * MEBIBYTE }

const sumBytes = (snapshots: Iterable<Snapshot>): number => {
  let sum = 0
  for (const { bytes } of snapshots) sum += bytes
  return sum
}

/** @throws {Problem} 503 if one more snapshot would exceed a limit. */
export function expectSnapshotWithinLimits(
  { snapshots }: StateData,
  session: string,
  next: Pick<Snapshot, 'name' | 'bytes'>,
  { sessionBytes, totalBytes }: SnapshotLimits = LIMITS,
): void {
  const own = snapshots.get(session) ?? new Map<string, Snapshot>()
  const previous = own.get(next.name)
  const count = [...own.keys()].filter((name) => name !== RESET_SNAPSHOT).length
  if (count >= MAX_SNAPSHOTS && previous === undefined && next.name !== RESET_SNAPSHOT) {
    throw problem.overCapacity(
      `Snapshot limit of the session (${MAX_SNAPSHOTS}) reached. Delete one: DELETE /__admin/snapshots/{name}.`,
    )
  }
  const growth = next.bytes - (previous?.bytes ?? 0)
  if (sumBytes(own.values()) + growth > sessionBytes) {
    throw problem.overCapacity(
      `The snapshots of a session are limited to ${toMegabytes(sessionBytes)} in total, and this one would exceed that. Delete one: DELETE /__admin/snapshots/{name}.`,
    )
  }
  const total = Array.from(snapshots.values(), (one) => sumBytes(one.values())).reduce((sum, one) => sum + one, 0)
  if (total + growth > totalBytes) {
    throw problem.overCapacity(
      `The snapshots of all sessions are limited to ${toMegabytes(totalBytes)} in total, and this one would exceed that. Delete snapshots or unused sessions.`,
    )
  }
}
