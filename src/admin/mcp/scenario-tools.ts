import * as z from 'zod'
import { MAX_ERRORS, findIssues } from '../../service/contract/check.ts'
import { SetupError } from '../../errors.ts'
import { toPath } from '../../service/http/json.ts'
import { describeUnknown } from '../../service/scenarios/engine.ts'
import { toScenarioError } from '../../service/scenarios/load.ts'
import { NO_SCENARIO } from '../../service/http/control-headers.ts'
import { scenarioSchema } from '../../service/scenarios/schema.ts'
import { cutText, takeFitting } from './brief.ts'
import { pathOf } from '../client/admin-client.ts'
import { activeNames, createTool, name, toolNames } from './tool.ts'
import type { MockAccess, Tool } from './tool.ts'

interface ScenarioList {
  readonly active: readonly string[]
  readonly scenarios: readonly { readonly name: string; readonly description: string; readonly source: string }[]
}

const readScenarios = async ({ admin }: MockAccess): Promise<ScenarioList> =>
  (await admin.send('GET', '/scenarios')) as ScenarioList

/** @throws {SetupError} that names every scenario that does not exist. */
async function expectScenarios(mock: MockAccess, given: readonly string[]): Promise<void> {
  if (given.length === 1 && given[0] === NO_SCENARIO) return
  const known = (await readScenarios(mock)).scenarios.map((scenario) => scenario.name)
  const unknown = [...new Set(given)].filter((one) => !known.includes(one))
  if (unknown.length === 0) return
  throw new SetupError(
    takeFitting(unknown.map((one) => describeUnknown(one, known, true)))
      .concat('list_scenarios lists them.')
      .join(' '),
  )
}

/** A scenario as `mock.use` takes it: without a name, and with an optional description. */
const definition = scenarioSchema.extend({ description: scenarioSchema.shape.description.optional() })

/** @throws {SetupError} that names every fault of a scenario. */
function expectDefinition(scenario: object): void {
  const { first, count: found, unknown } = findIssues(definition, scenario, MAX_ERRORS)
  const unknownIssues = unknown.slice(0, MAX_ERRORS).map((path): z.core.$ZodIssue => {
    const steps = path.slice(0, -1)
    return { code: 'unrecognized_keys', keys: [String(path.at(-1))], path: steps, message: toPath(path) }
  })
  const issues = [...unknownIssues, ...first].slice(0, MAX_ERRORS)
  if (issues.length === 0) return
  const sentences = new Set(issues.map((issue) => cutText(toScenarioError(scenario, new z.ZodError([issue])).message)))
  const listed = takeFitting([...sentences])
  const more = found + unknown.length - issues.length + (sentences.size - listed.length)
  const others = more === 1 ? 'There is 1 more fault.' : `There are ${more} more faults.`
  throw new SetupError([...listed, ...(more > 0 ? [others] : [])].join('\n'))
}

/** The tools for scenarios. */
export const scenarioTools: readonly Tool[] = [
  createTool({
    name: 'list_scenarios',
    title: 'List scenarios',
    description: 'Lists the scenarios, what each one does, and which are active; and the URL for the app under test.',
    input: z.object({}),
    output: z.looseObject({
      url: z.string().describe('the base URL for the app under test'),
      active: toolNames,
      scenarios: z.array(z.looseObject({ name: z.string(), description: z.string() })),
    }),
    isReading: true,
    async call(_input, mock) {
      const { active: current, scenarios } = await readScenarios(mock)
      const listed = scenarios.map((one) => ({
        name: one.name,
        description: cutText(one.description),
        ...(one.source === 'built-in' ? {} : { source: one.source }),
      }))
      return { url: mock.url, active: current, scenarios: listed }
    },
  }),
  createTool({
    name: 'activate_scenarios',
    title: 'Activate scenarios',
    description: 'Activates these scenarios and deactivates all others. Their counters are reset.',
    input: z.object({ names: toolNames.describe('scenario names from list_scenarios; [] for none') }),
    output: activeNames,
    async call(input, mock) {
      await expectScenarios(mock, input.names)
      return (await mock.admin.send('PUT', '/scenarios/active', { active: input.names })) as object
    },
  }),
  createTool({
    name: 'define_scenario',
    title: 'Define a scenario',
    description: 'Defines or replaces a scenario. It has no effect until activate_scenarios activates it.',
    input: z.object({ name, scenario: z.looseObject({}) }),
    listedInput: z.object({
      name,
      scenario: definition.describe(
        'for example {"rules": [{"match": {"operation": "getResourceById"}, "effect": {"answer": {"status": 500}}}]}',
      ),
    }),
    output: activeNames,
    isDestructive: true,
    async call(input, { admin }) {
      expectDefinition(input.scenario)
      const scenario = { description: 'Defined with define_scenario', ...input.scenario }
      return (await admin.send('PUT', pathOf('scenarios', input.name), scenario)) as object
    },
  }),
]
