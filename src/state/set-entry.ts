import type { Undos } from './project-change.ts'

/** Sets an entry of a map, which an undo takes back. */
export function setEntry<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, undos: Undos): void {
  if (undos === undefined) {
    map.set(key, value)
    return
  }
  const had = map.has(key)
  const before = map.get(key)
  map.set(key, value)
  undos.push(() => {
    // It had the key, so this is its value.
    if (had) map.set(key, before as Value)
    else map.delete(key)
  })
}

/** Gives an entry another key; the entry that had it goes. */
export function moveEntry<Key, Value>(map: Map<Key, Value>, from: Key, to: Key): void {
  map.delete(to)
  // It has the key, so this is its value.
  if (map.has(from)) map.set(to, map.get(from) as Value)
  map.delete(from)
}
