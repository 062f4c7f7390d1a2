import type { Endpoint } from './contract/endpoint.ts'
import { SetupError } from './errors.ts'
import { createCatalog } from './scenarios/catalog.ts'
import type { Catalog } from './scenarios/catalog.ts'
import { loadAllScenarios } from './scenarios/load.ts'
import { loadFixtures } from './state/fixtures.ts'
import type { Fixtures } from './state/fixtures.ts'
import { createProjectData } from './state/project-data.ts'
import type { ProjectData } from './state/project-data.ts'
import type { Resource } from './state/resource.ts'

/** Texts by file name: the user's own, which replace the built-in ones of the same name. */
export interface SourceTexts {
  readonly fixtures?: Readonly<Record<string, string>> | undefined
  readonly scenarios?: Readonly<Record<string, string>> | undefined
}

/** What a mock reads from texts, and can read anew while it runs. */
export interface Sources {
  readonly fixtures: () => Fixtures
  readonly catalog: Catalog
  /** What every project starts with. */
  seed(): ProjectData
  /** The text of a documented example of an endpoint. */
  readonly findExample: (endpoint: Endpoint, status: number, name: string) => string | undefined
  /**
   * Reads texts anew; what cannot be read leaves the last good state, and is told by {@link problems} until it can be.
   *
   * @throws {SetupError} with all that could not be read.
   */
  reload(texts: SourceTexts): Promise<void>
  /** What the last reading could not read, a sentence each. */
  readonly problems: () => readonly string[]
}

/** Reads fixtures and scenarios; `generated` resources stand after the fixtures' own. */
export async function openSources(first: SourceTexts, generated: readonly Resource[]): Promise<Sources> {
  let fixtures = await loadFixtures(first.fixtures)
  const catalog = createCatalog(await loadAllScenarios(first.scenarios ?? {}))
  const toSeed = () => createProjectData([...fixtures.resources, ...generated], fixtures.action)
  let seed = toSeed()
  let problems: readonly string[] = []

  async function read(name: string, texts: Readonly<Record<string, string>>): Promise<void> {
    if (name === 'scenarios') {
      catalog.replace(await loadAllScenarios(texts))
      return
    }
    fixtures = await loadFixtures(texts)
    seed = toSeed()
  }

  return {
    fixtures: () => fixtures,
    catalog,
    seed: () => seed,
    findExample({ responses }, status, name) {
      const isDocumented = responses[status]?.examples?.[name] !== undefined
      return isDocumented ? fixtures.custom[name as keyof typeof fixtures.custom] : undefined
    },
    async reload(texts) {
      const faults: SetupError[] = []
      for (const [name, of] of Object.entries(texts)) {
        if (of === undefined) continue
        await read(name, of as Readonly<Record<string, string>>).catch((fault: unknown) => {
          if (!(fault instanceof SetupError)) throw fault
          faults.push(fault)
        })
      }
      problems = faults.map(({ message }) => message)
      if (faults.length > 0) throw new SetupError(problems.join(' '), { cause: faults[0] })
    },
    problems: () => problems,
  }
}
