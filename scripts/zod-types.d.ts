/**
 * The types of zod in the library's declarations, as far as they say what a schema reads and returns: a program that uses the
 * library needs neither zod nor a version of TypeScript that knows zod's own declarations.
 */
export interface ZodType<Output = unknown, Input = Output> {
  readonly _output: Output
  readonly _input: Input
}
export type output<Schema> = Schema extends { readonly _output: infer Output } ? Output : never
export type input<Schema> = Schema extends { readonly _input: infer Input } ? Input : never

export declare namespace core {
  type $strict = object
  type $strip = object
  type $loose = Record<string, unknown>
}

interface Optional {
  readonly _isOptional: true
}
type OptionalKey<Shape> = { [Key in keyof Shape]: Shape[Key] extends Optional ? Key : never }[keyof Shape]
type Flat<T> = { [Key in keyof T]: T[Key] }

export interface ZodObject<Shape, Others = core.$strip> extends ZodType<
  Flat<
    { [Key in Exclude<keyof Shape, OptionalKey<Shape>>]: output<Shape[Key]> } & {
      [Key in OptionalKey<Shape>]?: output<Shape[Key]>
    } & Others
  >,
  Flat<
    { [Key in Exclude<keyof Shape, OptionalKey<Shape>>]: input<Shape[Key]> } & {
      [Key in OptionalKey<Shape>]?: input<Shape[Key]>
    } & Others
  >
> {
  readonly shape: Shape
}
export interface ZodOptional<Schema> extends ZodType<output<Schema> | undefined, input<Schema> | undefined>, Optional {}
export type ZodNonOptional<Schema> = ZodType<Exclude<output<Schema>, undefined>, Exclude<input<Schema>, undefined>>
export type ZodReadonly<Schema> = ZodType<Readonly<output<Schema>>, Readonly<input<Schema>>>
export type ZodArray<Schema> = ZodType<output<Schema>[], input<Schema>[]>
export type ZodUnion<Schemas extends readonly unknown[]> = ZodType<output<Schemas[number]>, input<Schemas[number]>>
export type ZodDiscriminatedUnion<Schemas extends readonly unknown[], _Name> = ZodUnion<Schemas>
export type ZodRecord<Key, Schema> = ZodType<
  Record<output<Key> & PropertyKey, output<Schema>>,
  Record<input<Key> & PropertyKey, input<Schema>>
>
export type ZodPipe<First, Last> = ZodType<output<Last>, input<First>>
export type ZodTransform<Output, Input> = ZodType<Output, Input>
export type ZodCustom<Output, Input> = ZodType<Output, Input>
export type ZodLiteral<Value> = ZodType<Value>
export type ZodEnum<Values> = ZodType<Values[keyof Values]>
export type ZodString = ZodType<string>
export type ZodISODateTime = ZodType<string>
export type ZodNumber = ZodType<number>
export type ZodInt = ZodType<number>
export type ZodBoolean = ZodType<boolean>
export type ZodUnknown = ZodType
export type ZodGUID = ZodType<string>
export type ZodBase64 = ZodType<string>
export type ZodCatch<Schema> = ZodType<output<Schema>, unknown>
