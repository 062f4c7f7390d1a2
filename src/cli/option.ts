import { SetupError } from '../errors.ts'

/** Where a value was given. */
export interface Source {
  /** What sentences call it: `--port`, `The environment variable PORT`, `"port" in resource-mock.config.json`. */
  readonly name: string
  /** Where its relative paths start. */
  readonly folder: string
}

/** Turns an option's text into its value, or throws a SetupError that says what, which value, and the remedy. */
export type Parse<T> = (text: string, source: Source) => T

interface About {
  /** As commander writes it: `-p, --port <n>`. */
  readonly flags: string
  readonly about: string
  readonly env?: string
  /** Begins a group of the help, which goes on to the next one. */
  readonly heading?: string
}

/** An option that takes a value, at most one. */
export interface ValueOption<T> extends About {
  readonly kind: 'value'
  readonly parse: Parse<T>
  /** The default, written as a user would. */
  readonly fallback?: string
  /** For the help, where the default is no value: `random`. */
  readonly otherwise?: string
  /** The text that `--no-…`, and `false` in a configuration file, stand for. */
  readonly negated?: string
}

/** An option that may be repeated. */
export interface ListOption<T> extends About {
  readonly kind: 'list'
  readonly parse: Parse<T>
  readonly otherwise?: string
}

/** An option that is on or off. */
export interface SwitchOption extends About {
  readonly kind: 'switch'
}

export type Option = ValueOption<unknown> | ListOption<unknown> | SwitchOption

/** The value that an option has once parsed. */
export type ValueOf<O> = O extends { readonly kind: 'switch' }
  ? boolean
  : O extends ListOption<infer T>
    ? readonly T[]
    : O extends ValueOption<infer T>
      ? T
      : never

/** The flag as it is typed, `--port` of `-p, --port <n>`. */
export function toFlag({ flags }: Option): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags
}

/** Gathers the values of a flag that may be repeated, as commander hands them over. */
export const gather = (value: string, gathered: readonly string[] = []): readonly string[] => [...gathered, value]

/** Refuses a value: what it is, what is wrong with it, and what to give instead. */
export function refuse({ name }: Source, text: string, wrong: string, remedy: string): SetupError {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return new SetupError(`${name} is ${JSON.stringify(shown)}, ${wrong}. ${remedy}`)
}
