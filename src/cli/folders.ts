import type { FolderName } from '../node/folder.ts'
import type { Settings } from './options.ts'

/** The folders that are given, by their names. */
export const foldersOf = ({ fixtures, scenarios }: Settings): ReadonlyMap<FolderName, string> =>
  new Map([
    ...(fixtures === undefined ? [] : [['fixtures', fixtures] as const]),
    ...(scenarios === undefined ? [] : [['scenarios', scenarios] as const]),
  ])
