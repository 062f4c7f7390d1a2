import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * The violations that axe finds, with the elements. No page has frames, whose results axe would merge on a page of its own,
 * and of the rules that hold, it describes no element.
 */
export async function findViolations(page: Page, only?: readonly string[]): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })
  const { violations } = await (only === undefined ? axe : axe.withRules([...only])).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
