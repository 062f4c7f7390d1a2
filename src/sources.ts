import type { Endpoint } from './contract/endpoint.ts'
import { SetupError } from './errors.ts'
import { loadPartially } from './util/load-partially.ts'
import { createCatalog } from './scenarios/catalog.ts'
import type { Catalog } from './scenarios/catalog.ts'
import { loadAllScenarios } from './scenarios/load.ts'
import { loadFixtures } from './state/fixtures.ts'
import type { Fixtures } from './state/fixtures.ts'
import { createProjectData } from './state/project-data.ts'
import type { ProjectData } from './state/project-data.ts'
import type { StoredResource } from './state/resource.ts'
import type { FileTexts } from './util/file-texts.ts'

/** The user's own texts, which replace the built-in ones of the same name. */
export interface SourceTexts {
  readonly fixtures?: FileTexts | undefined
  readonly scenarios?: FileTexts | undefined
}

/** The texts, or what reads them and throws a {@link SetupError} where they cannot be read at all. */
export type ReadTexts = SourceTexts | (() => Promise<SourceTexts>)

/** What a mock reads from texts, and can read anew while it runs. */
export interface Sources {
  readonly fixtures: () => Fixtures
  readonly catalog: Catalog
  /** The user's own texts, as they were last good. */
  readonly texts: () => SourceTexts
  /** What every project starts with. */
  seed(): ProjectData
  /** The text of a documented example of an endpoint. */
  readonly findExample: (endpoint: Endpoint, status: number, name: string) => string | undefined
  /**
   * Reads texts anew, from a function that may fail itself; one that cannot be read leaves what was last good of it, and is told by {@link problems} until it can be.
   *
   * @throws {SetupError} with all that could not be read.
   */
  reload(texts: ReadTexts): Promise<void>
  /** What the last reading could not read, a sentence each. */
  readonly problems: () => readonly string[]
}

/** Reads fixtures and scenarios; `generated` resources stand after the fixtures' own. */
export async function openSources(first: SourceTexts, generated: readonly StoredResource[]): Promise<Sources> {
  let fixtures = await loadFixtures(first.fixtures)
  const catalog = createCatalog(await loadAllScenarios(first.scenarios ?? {}))
  const toSeed = () => createProjectData([...fixtures.resources, ...generated], fixtures.action)
  let seed = toSeed()
  let problems: readonly string[] = []
  let good = { fixtures: first.fixtures ?? {}, scenarios: first.scenarios ?? {} }

  /** What could not be read. */
  async function readScenarios(texts: FileTexts): Promise<SetupError | undefined> {
    const {
      result,
      texts: scenarios,
      fault,
    } = await loadPartially({ texts, good: good.scenarios, read: loadAllScenarios })
    if (result !== undefined) catalog.replace(result)
    good = { ...good, scenarios }
    return fault
  }

  /** What could not be read. */
  async function readFixtures(texts: FileTexts): Promise<SetupError | undefined> {
    const { result, texts: read, fault } = await loadPartially({ texts, good: good.fixtures, read: loadFixtures })
    if (result !== undefined) {
      fixtures = result
      seed = toSeed()
    }
    good = { ...good, fixtures: read }
    return fault
  }

  function notePlainly(fault: unknown): never {
    if (fault instanceof SetupError) problems = [fault.message]
    throw fault
  }

  return {
    fixtures: () => fixtures,
    catalog,
    texts: () => good,
    seed: () => seed,
    findExample({ responses }, status, name) {
      const isDocumented = responses[status]?.examples?.[name] !== undefined
      return isDocumented ? fixtures.custom[name as keyof typeof fixtures.custom] : undefined
    },
    async reload(read) {
      const texts = typeof read === 'function' ? await read().catch(notePlainly) : read
      const found = [
        texts.fixtures === undefined ? undefined : await readFixtures(texts.fixtures),
        texts.scenarios === undefined ? undefined : await readScenarios(texts.scenarios),
      ]
      const faults = found.filter((fault) => fault !== undefined)
      problems = faults.map(({ message }) => message)
      if (faults.length > 0) throw new SetupError(problems.join(' '), { cause: faults[0] })
    },
    problems: () => problems,
  }
}
