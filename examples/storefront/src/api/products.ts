import { toFields, toProperty } from '../product/fields.ts'
import type { Fields } from '../product/fields.ts'
import { findChanged } from '../product/merge.ts'
import type { Product } from '../product/product.ts'
import { PAGE_SIZE, PROJECT } from '../settings.ts'
import { isFailure } from './failure.ts'
import { send } from './send.ts'
import type { Call, Staleness } from './send.ts'

const ROOT = `/${PROJECT}/resource`

/** Bodies have only the documented fields, unless the request asks for the identity too. */
const WITH_IDENTITY = { Prefer: 'identity=body' }

const toPath = (id: string): string => `${ROOT}/${encodeURIComponent(id)}`

/** The filters for the catalogue. */
export interface Wish {
  readonly text: string
  readonly room: string
  /** Starts at 1. */
  readonly page: number
}

/** A page of the catalogue. */
export interface Page {
  readonly total: number
  readonly results: readonly Product[]
}

/** With words or a room, a search (specification 4.4); otherwise the whole list (4.1). */
function toListCall({ text, room, page }: Wish): Call {
  const query = { limit: String(PAGE_SIZE), offset: String((page - 1) * PAGE_SIZE) }
  if (text === '' && room === '') return { path: ROOT, query }
  return {
    path: `${ROOT}/searchApiPattern`,
    query: {
      ...query,
      ...(text === '' ? {} : { 'text.en': text, fuzzy: 'true' }),
      ...(room === '' ? {} : { 'filter.query': `arrayOfStringExample:${JSON.stringify(room)}` }),
    },
  }
}

export interface Listed extends Page {
  readonly stale: Staleness
}

export async function listProducts(wish: Wish, signal: AbortSignal): Promise<Listed> {
  const { body, stale } = await send({ ...toListCall(wish), signal })
  // The shape that the service promises (specification 4.1 and 4.4).
  return { ...(body as Page), stale }
}

/** Sends a request whose response is a product. */
async function sendForProduct(call: Call): Promise<Product & { readonly stale: Staleness }> {
  const { body, stale } = await send({ ...call, headers: { ...WITH_IDENTITY, ...call.headers } })
  // ObjectTestType, with its identity (specification 2).
  return { ...(body as Product), stale }
}

export const getProduct = (id: string, signal?: AbortSignal) => sendForProduct({ path: toPath(id), signal })

/** Whether a product has this key: a new one with that key would overwrite it. */
async function isTaken(key: string): Promise<boolean> {
  try {
    await send({ path: `${ROOT}/key=${encodeURIComponent(key)}` })
    return true
  } catch (fault) {
    if (isFailure(fault, 'missing')) return false
    throw fault
  }
}

/** @returns the product, or undefined if the key is in use */
export async function createProduct(key: string, fields: Fields): Promise<Product | undefined> {
  if (await isTaken(key)) return undefined
  const json = { key, objectTypeProperty: toProperty(fields) }
  const created = await sendForProduct({ method: 'POST', path: ROOT, json })
  return fields.note === '' ? created : saveProduct(created, { ...toFields(created), note: fields.note })
}

/** The update by id is the only write that compares versions (specification 4.10); it can only change the note. */
const updateNote = ({ id, version }: Product, note: string | undefined): Promise<Product> =>
  sendForProduct({
    method: 'POST',
    path: toPath(id),
    json: {
      version,
      actions: [note === undefined ? { action: 'doSomeThing' } : { action: 'changeSomeProperty', someProperty: note }],
    },
  })

/**
 * Saves the form. It compares the version first, whatever was changed, and only then overwrites the rest.
 *
 * @throws {Failure} `conflict` if somebody else has changed the product in the meantime; then nothing is saved.
 */
export async function saveProduct(product: Product, fields: Fields): Promise<Product> {
  const changed = findChanged(toFields(product), fields)
  const updated = await updateNote(product, changed.includes('note') ? fields.note : undefined)
  const { key, objectTypeProperty } = product
  if (key === undefined || changed.every((name) => name === 'note')) return updated
  const json = { key, objectTypeProperty: toProperty(fields, objectTypeProperty) }
  return sendForProduct({ method: 'PUT', path: ROOT, json })
}

/** @throws {Failure} `conflict` if it is not the version that the user saw. */
export async function deleteProduct({ id, version }: Product): Promise<void> {
  await send({ method: 'DELETE', path: toPath(id), query: { version: String(version) } })
}

/** Uploads a picture for the product with that key (specification 4.13). */
export const uploadPhoto = (key: string, file: File): Promise<Product> =>
  sendForProduct({ method: 'POST', path: `${ROOT}/images`, query: { filename: file.name, sku: key }, file })
