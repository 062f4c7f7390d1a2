/** The members of an object. */
export type Members = Record<string, unknown>

/** An object or array whose end was not met yet. The outermost one is the text itself, which may hold one value. */
export interface Frame {
  isArray: boolean
  /** The offset of its bracket. */
  opening: number
  /** The text from here on is not parsed. */
  start: number
  /** What is right before `start`. */
  after: 'opening' | 'comma' | 'value'
  /** The last comma from `start` on; -1 without one. */
  comma: number
  /** How many members the text had before `start`, and before `comma`. */
  membersAtStart: number
  membersAtComma: number
  /** How many members it has, or commas if it is an array. */
  size: number
  /** Takes what is parsed; undefined as long as nothing of it is. */
  target: unknown[] | Members | undefined
  /** The member whose value is read: an open object or array. */
  name: string
}

export const createFrame = (): Frame => ({
  isArray: true,
  opening: -1,
  start: 0,
  after: 'opening',
  comma: -1,
  membersAtStart: 0,
  membersAtComma: 0,
  size: 0,
  target: undefined,
  name: '',
})

/** Whether a text has nothing but white space (RFC 8259, section 2). */
export const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text)

/** How many members the objects of a parsed value have in all. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const entry of value) if (typeof entry === 'object') count += countMembers(entry)
    return count
  }
  // On an object of 100,000 members Object.values takes twice as long.
  const members = value as Readonly<Members>
  for (const name of Object.keys(members)) {
    const member = members[name]
    count += typeof member === 'object' ? 1 + countMembers(member) : 1
  }
  return count
}

/** Gives an object a member, whatever its name is. */
export function setMember(target: Members, name: string, value: unknown): void {
  // Assigned, it would be the prototype.
  if (name !== '__proto__') target[name] = value
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true })
}
