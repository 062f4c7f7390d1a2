import { createProjectData } from './project-data.ts'
import { Project } from './project.ts'
import type { ProjectAccess } from './project.ts'
import type { StoredResource } from './resource.ts'

/** A project that looks empty, though nothing in it is gone: what `hideResources` shows. */
export const createHiddenProject = (access: ProjectAccess): Project =>
  new Project({
    read: () => createProjectData([], access.read().action),
    write: (change) => access.write(change),
    expectRoom: (growth) => access.expectRoom(growth),
  })

/** Resources beside a project's own; `find` and `findByKey` take constant time. */
export interface Extras {
  all(): readonly StoredResource[]
  find(id: string): StoredResource | undefined
  findByKey(key: string): StoredResource | undefined
}

/** A project whose reads see more resources than it has: what `generate` shows. They come after its own. */
export class ExtendedProject extends Project {
  readonly #extras: Extras

  constructor(access: ProjectAccess, extras: Extras) {
    super(access)
    this.#extras = extras
  }

  override get size(): number {
    return super.size + this.#unclaimed().length
  }

  override *all(): IterableIterator<StoredResource> {
    yield* super.all()
    yield* this.#unclaimed()
  }

  /** Those whose key no resource of the project's own has: a key names one resource (D6). */
  #unclaimed(): readonly StoredResource[] {
    return this.#extras.all().filter(({ key }) => key === undefined || super.findByKey(key) === undefined)
  }

  override find(id: string): StoredResource | undefined {
    return super.find(id) ?? this.#extras.find(id)
  }

  override findByKey(key: string): StoredResource | undefined {
    return super.findByKey(key) ?? this.#extras.findByKey(key)
  }
}
