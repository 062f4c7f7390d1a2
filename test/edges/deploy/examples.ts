import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

const folder = join(import.meta.dirname, '../../../examples/deploy')

/** The documents of an example in YAML. */
export const parseExample = (name: string): readonly unknown[] =>
  parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((document) => document.toJS() as unknown)
