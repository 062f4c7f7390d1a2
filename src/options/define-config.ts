import type * as z from 'zod'
import type { CommandOption, options } from './options.ts'

type OptionTable = typeof options
type ConfigName<Name extends CommandOption> = OptionTable[Name] extends {
  readonly configName: infer Given extends string
}
  ? Given
  : Name

/** The options of the command line as a configuration file has them, in camelCase. */
export type Config = { readonly $schema?: string } & {
  readonly [Name in CommandOption as ConfigName<Name>]?: z.input<OptionTable[Name]['value']['schema']>
}

/**
 * Returns a configuration as it is; with it, an editor knows the options.
 *
 * @example
 * // resource-mock.config.js
 * import { defineConfig } from 'resource-mock'
 * export default defineConfig({ port: 4020, scenario: ['slow'] })
 */
export const defineConfig = (config: Config): Config => config
