import { expect, test } from '../app-test.ts'

/** Enough tests to keep two workers busy at the same time. */
const people = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald', 'Radia']

for (const person of people) {
  test(`${person} sees only ${person}'s own resources`, async ({ page, mock }) => {
    await mock.seed([{ key: 'first', objectTypeProperty: {} }])
    await page.goto('/')
    await expect(page.getByRole('listitem')).toHaveText(['first v1'])
    await page.getByLabel('Key').fill(`of-${person}`)
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('listitem')).toHaveText(['first v1', `of-${person} v1`])
    await expect(mock).toHaveReceived({ operation: 'createResource' }, { times: 1 })
  })
}
