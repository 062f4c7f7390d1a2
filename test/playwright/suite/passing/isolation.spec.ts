import { expect, test } from '../app-test.ts'

/** As many as make two workers work at the same time. */
const people = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald', 'Radia']

for (const person of people) {
  test(`${person} sees what ${person} made, and nobody else's`, async ({ page, mock }) => {
    await mock.seed([{ key: 'first', objectTypeProperty: {} }])
    await page.goto('/')
    await expect(page.getByRole('listitem')).toHaveText(['first v1'])
    await page.getByLabel('Key').fill(`of-${person}`)
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('listitem')).toHaveText(['first v1', `of-${person} v1`])
    await expect(mock).toHaveReceived({ operation: 'createResource' }, { times: 1 })
  })
}
