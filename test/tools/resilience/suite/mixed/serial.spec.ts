import { expect, listAndSave, test } from '../app.ts'

test.describe.serial('a story', () => {
  let chapters = -1

  test('needs no mock', () => {
    chapters = 0
  })

  test('starts', async ({ page }) => {
    expect(chapters).toBe(0)
    await listAndSave(page, 'doubles')
    chapters = 1
  })

  test('goes on', async ({ page }) => {
    expect(chapters).toBe(1)
    await listAndSave(page, 'overwrites')
    chapters = 2
  })

  test('ends', async ({ page }) => {
    expect(chapters).toBe(2)
    await listAndSave(page, 'tells')
  })
})
