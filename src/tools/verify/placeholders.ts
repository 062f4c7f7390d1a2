/** The values saved under a name: `id`, `version`, `created`, `modified`, `access`, `total`. */
export type SavedValues = Readonly<Partial<Record<string, string>>>

/** What the placeholders of a step stand for. */
export interface Placeholders {
  readonly project: string
  readonly otherProject: string
  /** The unique id of the run, which starts the keys of its resources. */
  readonly run: string
  /** A number that is unique to the run. */
  readonly mark: number
  readonly saved: ReadonlyMap<string, SavedValues>
}

/** A step needs a value that no answer gave, or that cannot be changed as asked. */
export class Unset extends Error {
  override readonly name = 'Unset'
  /** The name of the resource or token without the value; undefined if only this step cannot be sent. */
  readonly missing: string | undefined

  constructor(message: string, missing?: string) {
    super(message)
    this.missing = missing
  }
}

const HOUR = 3_600_000

function toIso(text: string, shift: number): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new Unset('a date that is not a date-time')
  return new Date(time + shift).toISOString()
}

function otherCase(text: string): string {
  const other = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
  if (other === text) throw new Unset('an id without letters')
  return other
}

/** Percent-encodes the first character, which needs no encoding. */
function encodeFirst(text: string): string {
  if (!/^[\w-]/.test(text)) throw new Unset('an id that starts with a special character')
  return `%${text.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Shorter ids may be counted in each project, so that another project has a resource of someone else under the same id. */
const SHORTEST_UNIQUE_ID = 16

/** How a value is written otherwise: the same instant or id in another form, a neighbour, or a token without its signature. */
const changes: Readonly<Partial<Record<string, (value: string) => string>>> = {
  upper: otherCase,
  encoded: (id) => encodeFirst(id) + encodeURIComponent(id.slice(1)),
  twice: (id) => encodeURIComponent(encodeFirst(id) + id.slice(1)),
  plus2h: (date) => toIso(date, 2 * HOUR).replace('Z', '+02:00'),
  minus5h: (date) => toIso(date, -5.5 * HOUR).replace('Z', '-05:30'),
  before: (version) => String(BigInt(version) - 1n),
  after: (version) => String(BigInt(version) + 98n),
  next: (date) => toIso(date, 1),
  previous: (date) => toIso(date, -1),
  elsewhere(id) {
    if (id.length < SHORTEST_UNIQUE_ID) throw new Unset('an id that another project may have, too')
    return id
  },
  none(token) {
    const [, claims, signature] = token.split('.')
    // The head is {"alg":"none","typ":"JWT"}.
    return signature === undefined ? `${token}AAAA` : `eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.${claims}.`
  },
  forged(token) {
    const [head, claims, signature] = token.split('.')
    return signature === undefined ? `${token.slice(0, -4)}AAAA` : `${head}.${claims}.${signature.slice(0, -6)}AAAAAA`
  },
}

/** Encodes a value for its place in a request. */
export type Encode = (value: string) => string

export const inJson: Encode = (value) => JSON.stringify(value).slice(1, -1)
export const unchanged: Encode = (value) => value

/**
 * Fills in the placeholders of a step's text.
 *
 * @throws {Unset} if an answer did not give the value.
 */
export const fillIn = (
  text: string,
  { project, otherProject, run, mark, saved }: Placeholders,
  encode: Encode,
): string =>
  text
    .replace(/\{\{([\w-]+)\.(\w+)(?:\|(\w+))?\}\}/g, (_, name: string, member: string, how: string | undefined) => {
      const value = saved.get(name)?.[member]
      if (value === undefined) throw new Unset(`${name} has no ${member}`, name)
      const changed = changes[how ?? '']?.(value) ?? value
      return how === 'encoded' || how === 'twice' ? changed : encode(changed)
    })
    .replace(/\{([pokm])\}/g, (_, name: string) => ({ p: project, o: otherProject, k: run })[name] ?? String(mark))
