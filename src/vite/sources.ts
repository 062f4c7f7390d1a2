import { resolve, sep } from 'node:path'
import { readFolder } from '../node/folder.ts'
import type { FolderName } from '../node/folder.ts'
import type { ViteMockOptions } from './options.ts'
import type { FileTexts } from '../util/file-texts.ts'

/** Fixtures and scenarios, in folders or as texts. */
export interface MockSources {
  /** Absolute paths. */
  readonly folders: readonly string[]
  /** Whether a file lies in one of the folders. */
  isOfSources(file: string): boolean
  /**
   * Reads all texts.
   *
   * @throws {SetupError} when a folder or one of its files cannot be read.
   */
  read(): Promise<{ readonly fixtures?: FileTexts; readonly scenarios?: FileTexts }>
}

const names: readonly FolderName[] = ['fixtures', 'scenarios']

/** Finds the sources that the options name; folders begin at `root`. */
export function createSources(options: Pick<ViteMockOptions, FolderName>, root: string): MockSources {
  const places = names.flatMap((name) => {
    const given = options[name]
    return given === undefined ? [] : [[name, typeof given === 'string' ? resolve(root, given) : given] as const]
  })
  const folders = places.map(([, place]) => place).filter((place) => typeof place === 'string')
  return {
    folders,
    isOfSources: (file) => folders.some((folder) => resolve(root, file).startsWith(folder + sep)),
    async read() {
      const texts = places.map(async ([name, place]) => [
        name,
        typeof place === 'string' ? await readFolder(name, place, `The option ${name} of resourceMock`) : place,
      ])
      return Object.fromEntries(await Promise.all(texts)) as Awaited<ReturnType<MockSources['read']>>
    },
  }
}
