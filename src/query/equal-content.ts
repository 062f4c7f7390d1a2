import { toUniform } from './scalars.ts'

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Whether two JSON values say the same: arrays in the same order, objects in any, numbers by value whatever their type.
 * A member that is undefined is one that is not there.
 */
export function isEqualContent(a: unknown, b: unknown): boolean {
  if (isNumeric(a) && isNumeric(b)) return toUniform(a) === toUniform(b)
  if (!isObject(a) || !isObject(b)) return a === b
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((one: unknown, at) => isEqualContent(one, b[at]))
  }
  const members = new Map(Object.entries(a))
  const others = new Map(Object.entries(b))
  return [...new Set([...members.keys(), ...others.keys()])].every((name) =>
    isEqualContent(members.get(name), others.get(name)),
  )
}
