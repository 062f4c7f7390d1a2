import type { Endpoints, OperationId } from '../contract/endpoints.ts'

/** Every name under `query` or `families` of the endpoint table. */
type NameOf<Place extends 'query' | 'families' | 'headers'> = {
  [Id in OperationId]: keyof Endpoints[Id][Place]
}[OperationId]

/** A value of each query parameter, as it is before it is written into an URL. */
export const queryExamples: Readonly<Record<NameOf<'query'>, unknown>> = {
  stringParameter: 'oak',
  floatParameter: 189.9,
  integerParameter: 14,
  withMarkdownDescription: 8.4,
  arrayOfString: ['oak', 'natural'],
  arrayOfStringWithDescription: ['living room'],
  objectParameter: { arrayOfString: ['oak'] },
  unionParameter: 14,
  where: ['version >= :least'],
  sort: ['lastModifiedAt desc', 'version asc'],
  limit: 20,
  offset: 0,
  withTotal: true,
  expand: ['objectTypeProperty'],
  optionalQueryParameter: 'one',
  secondOptionalQueryParameter: 'two',
  fuzzy: true,
  fuzzyLevel: 1,
  staged: false,
  filter: ['arrayOfIntExample:range (1 to 20)'],
  'filter.facets': ['arrayOfStringExample:oak'],
  'filter.query': ['arrayOfStringExample:oak'],
  facet: ['arrayOfStringExample'],
  queryParameterOne: 1.5,
  queryParameterTwo: 'two',
  version: 3,
  filename: 'front.png',
  variant: 1,
  sku: 'oak-side-table',
}

/** Members of each family of query parameters, by their whole names. */
export const familyExamples: Readonly<Record<NameOf<'families'>, Readonly<Record<string, unknown>>>> = {
  text: { 'text.en': 'table' },
  var: { 'var.least': ['1'] },
}

export const headerExamples: Readonly<Record<NameOf<'headers'>, string>> = {
  Accept: 'application/json',
  'Content-Type': 'image/png',
  'Storefront-Locale': 'de-DE',
}
