import { createProjectData } from './project-data.ts'
import { Project } from './project.ts'
import type { ProjectAccess } from './project.ts'
import type { Resource } from './resource.ts'

const NOTHING = createProjectData([], '{}')

/** A project that looks empty, though nothing in it is gone: what `hideResources` shows. */
export const createHiddenProject = (access: ProjectAccess): Project =>
  new Project({ read: () => ({ ...NOTHING, action: access.read().action }), write: () => access.write() })

/** Resources that stand beside a project's own, found by id and by key in constant time. */
export interface Extras {
  readonly all: readonly Resource[]
  readonly byId: ReadonlyMap<string, Resource>
  readonly byKey: ReadonlyMap<string, Resource>
}

export const createExtras = (resources: readonly Resource[]): Extras => ({
  all: resources,
  byId: new Map(resources.map((resource) => [resource.id, resource])),
  byKey: new Map(
    resources.flatMap((resource) => (resource.key === undefined ? [] : [[resource.key, resource] as const])),
  ),
})

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

  override *all(): IterableIterator<Resource> {
    yield* super.all()
    yield* this.#unclaimed()
  }

  /** Those whose key no resource of the project's own has: a key names one resource (D6). */
  #unclaimed(): readonly Resource[] {
    return this.#extras.all.filter(({ key }) => key === undefined || super.findByKey(key) === undefined)
  }

  override find(id: string): Resource | undefined {
    return super.find(id) ?? this.#extras.byId.get(id)
  }

  override findByKey(key: string): Resource | undefined {
    return super.findByKey(key) ?? this.#extras.byKey.get(key)
  }
}
