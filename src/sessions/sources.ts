import type { Endpoint } from '../service/contract/endpoint.ts'
import { SetupError } from '../errors.ts'
import { loadPartially } from '../util/load-partially.ts'
import { createCatalog } from '../service/scenarios/engine.ts'
import { loadAllScenarios } from '../service/scenarios/load.ts'
import type { FindUseless } from '../service/scenarios/match.ts'
import { createBase, createResourceList, joinResourceLists } from '../service/state/resource.ts'
import type { ResourceList } from '../service/state/resource.ts'
import { loadFixtures } from '../service/state/fixtures.ts'
import type { Fixtures } from '../service/state/fixtures.ts'
import { ProjectData } from '../service/state/project-data.ts'
import type { FileContents, FileTexts } from '../util/load-partially.ts'

/** The user's texts, which replace the built-in ones of the same name. */
export interface SourceTexts {
  readonly fixtures?: FileTexts | undefined
  readonly scenarios?: FileContents | undefined
}

/** The texts, or a function that reads them and throws a {@link SetupError} on failure. */
export type ReadTexts = SourceTexts | (() => Promise<SourceTexts>)

/** Fixtures and scenarios from texts, reloadable while the mock runs. */
export type Sources = Awaited<ReturnType<typeof openSources>>

/** Reads fixtures and scenarios. `generated` resources follow those of the fixtures. */
export async function openSources(first: SourceTexts, generated: ResourceList, findUseless: FindUseless) {
  const load = (texts: FileContents) => loadAllScenarios(texts, findUseless)
  const fixtures = await loadFixtures(first.fixtures)
  const catalog = createCatalog(await load(first.scenarios ?? {}))
  function toInitial({ resources, action }: Fixtures): ProjectData {
    return new ProjectData(
      createBase({ resources: joinResourceLists(createResourceList(resources), generated), action }),
    )
  }

  let problems: readonly string[] = []
  let good: SourceTexts = { fixtures: first.fixtures ?? {}, scenarios: first.scenarios ?? {} }

  /** Returns the errors. */
  async function readScenarios(texts: FileContents): Promise<SetupError | undefined> {
    const { result, texts: scenarios, fault } = await loadPartially({ texts, good: good.scenarios ?? {}, read: load })
    if (result !== undefined) catalog.replace(result)
    good = { ...good, scenarios }
    return fault
  }

  /** Returns the errors. */
  async function readFixtures(texts: FileTexts): Promise<SetupError | undefined> {
    const { result, texts: read, fault } = await loadPartially({ texts, good: good.fixtures ?? {}, read: loadFixtures })
    if (result !== undefined) {
      sources.fixtures = result
      sources.initial = toInitial(result)
    }
    good = { ...good, fixtures: read }
    return fault
  }

  function keepProblem(fault: unknown): never {
    if (fault instanceof SetupError) problems = [fault.message]
    throw fault
  }

  const sources = {
    catalog,
    findUseless,
    // Replaced on reload.
    fixtures,
    /** The initial data of every project. */
    initial: toInitial(fixtures),
    /** The user's texts, each in its last valid version. */
    texts: () => good,
    /** The text of a documented example of an endpoint. */
    findExample({ responses }: Endpoint, status: number, name: string): string | undefined {
      const isDocumented = responses[status]?.examples?.[name] !== undefined
      return isDocumented ? sources.fixtures.custom[name as keyof Fixtures['custom']] : undefined
    },
    /**
     * Reloads texts. An invalid text keeps its last valid version, and `problems` reports it until it is valid again.
     *
     * @throws {SetupError} that lists all errors.
     */
    async reload(read: ReadTexts): Promise<void> {
      const texts = typeof read === 'function' ? await read().catch(keepProblem) : read
      const found = [
        texts.fixtures === undefined ? undefined : await readFixtures(texts.fixtures),
        texts.scenarios === undefined ? undefined : await readScenarios(texts.scenarios),
      ]
      const faults = found.filter((fault) => fault !== undefined)
      problems = faults.map(({ message }) => message)
      if (faults.length > 0) throw new SetupError(problems.join(' '), { cause: faults[0] })
    },
    /** The error messages of the last load. */
    problems: () => problems,
  }
  return sources
}
