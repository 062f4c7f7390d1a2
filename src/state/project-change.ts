import type { StoredImage, StoredResource } from './resource.ts'

/** What a write does to one project. */
export type ProjectChange =
  /** A new resource, or the next version of one. */
  | { readonly kind: 'put'; readonly resource: StoredResource }
  | { readonly kind: 'remove'; readonly id: string }
  /** Replaces the JSON text of the action payload (D22). */
  | { readonly kind: 'action'; readonly text: string }
  /** Something was posted to a place (D16). */
  | { readonly kind: 'posted'; readonly name: string }
  | { readonly kind: 'image'; readonly image: StoredImage }

/** Undoes one step of a change, after all later steps were undone. */
export type Undo = () => void

/** Collects what undoes a change, in the order of its steps; undefined for a change that is final. */
export type Undos = Undo[] | undefined

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
