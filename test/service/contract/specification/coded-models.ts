import * as z from 'zod'
import * as models from '../../../../src/service/contract/models.ts'
import { describeType, findWidth } from './coded-types.ts'
import type { CodedFacts, Fact } from './fact.ts'

type Shape = z.core.$ZodShape

/** The shapes of section 2, field by field. */
export const modelShapes: Readonly<Record<string, Shape>> = {
  ArrayTestType: models.arrayTestType.shape,
  ObjectTestType: models.objectTestType.shape,
  ObjectTestTypeDraft: models.objectTestTypeDraft.shape,
  OutOfOrderPropertiesTestType: models.outOfOrderPropertiesTestType.shape,
  UpdateRequest: models.updateRequest.shape,
  Money: models.money.shape,
  LineItem: models.lineItem.shape,
  Variant: models.variant.shape,
  VariantAttributes: models.variantAttributes.shape,
  Cart: models.cart.shape,
}

/** Members that D5 and D6 add; they must be optional, since the documented shape does not have them. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  ObjectTestType: ['id', 'key', 'someProperty', 'createdAt', 'lastModifiedAt'],
  ObjectTestTypeDraft: ['key'],
}

const fieldFacts = (model: string, shape: Shape): readonly Fact[] =>
  Object.entries(shape)
    .filter(([name, schema]) => !(ADDED[model]?.includes(name) === true && schema instanceof z.ZodOptional))
    .map(([name, schema], index) => `${model} field ${index + 1} is ${name}: ${describeType(schema)}`)

const actionFacts = (): readonly Fact[] =>
  models.updateAction.options.map(({ shape }) => {
    const { action, ...fields } = shape
    const told = Object.entries(fields).map(([name, schema]) => `${name}: ${describeType(schema)}`)
    return `action ${action.value} has ${told.length === 0 ? 'no fields' : told.join(', ')}`
  })

const widthFacts = (): readonly Fact[] =>
  Object.entries(models.objectEntry.shape).map(([name, schema]) => `${name} has ${findWidth(schema)} bits`)

/** The facts of the models, or of the models with the given shapes. */
export const codedModels = (shapes: Readonly<Record<string, Shape>> = modelShapes): CodedFacts => ({
  asserted: [
    ...Object.entries(shapes).flatMap(([model, shape]) => fieldFacts(model, shape)),
    ...widthFacts(),
    ...actionFacts(),
  ],
  filled: [],
})
