import { copyProjectData } from './project-data.ts'
import type { ProjectData } from './project-data.ts'
import type { SessionData, StateData } from './state-data.ts'

/** Projects as they were before changes, by session and project id; undefined for one that was untouched then. */
type Before = Map<string, Map<string, ProjectData | undefined>>

/** Remembers what was there before changes that are not kept yet, so that they can be undone if they cannot be kept. */
export interface Unkept {
  /** Called before a project changes. */
  note(session: string, id: string): void
  /** A write begins, which keeps every change until now. */
  begin(): void
  /** The write succeeded. */
  forget(): void
  /** The write failed: undoes every change that is not kept, those made since it began included. */
  undo(): void
}

/** Creates the memory of a store's changes that are not kept yet. */
export function createUnkept(state: () => StateData): Unkept {
  let writing: Before = new Map()
  let since: Before = new Map()

  function restore(before: Before): void {
    const { sessions } = state()
    for (const [session, projects] of before) {
      const data: SessionData = sessions.get(session) ?? new Map<string, ProjectData>()
      for (const [id, project] of projects) {
        if (project === undefined) data.delete(id)
        else data.set(id, project)
      }
      if (data.size === 0) sessions.delete(session)
      else sessions.set(session, data)
    }
  }

  return {
    note(session, id) {
      const projects = since.get(session) ?? new Map<string, ProjectData | undefined>()
      since.set(session, projects)
      if (projects.has(id)) return
      const project = state().sessions.get(session)?.get(id)
      projects.set(id, project && copyProjectData(project))
    },
    begin() {
      writing = since
      since = new Map()
    },
    forget() {
      writing = new Map()
    },
    undo() {
      // The later changes first: what was there before the earlier ones is what stays.
      restore(since)
      restore(writing)
      since = new Map()
      writing = new Map()
    },
  }
}
