import { expect, test } from './shop.ts'

/** One grey pixel. */
const PHOTO = {
  name: 'desk.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
    'base64',
  ),
}

test.beforeEach(async ({ page, shop }) => {
  await shop.signIn('Manager')
  await page.getByRole('link', { name: 'Desk' }).click()
  await page.getByLabel('New photo').setInputFiles(PHOTO)
})

test('shows a photo before the upload, and in the shop after it', async ({ page, mock, shop }) => {
  await expect(page.getByRole('img', { name: 'The selected photo' })).toBeVisible()
  await expect(page.getByText('desk.png, 0.1 kB')).toBeVisible()
  await expect(mock).not.toHaveReceived({ operation: 'uploadImage' })

  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(shop.notice).toHaveText('Photo uploaded.')
  await expect(page.getByRole('img', { name: 'Photo of Desk' })).toHaveJSProperty('naturalWidth', 1)
  await expect(mock).toHaveReceived({
    operation: 'uploadImage',
    headers: { 'Content-Type': { equalTo: 'image/png' } },
    queryParameters: { sku: { equalTo: 'walnut-desk' }, filename: { equalTo: 'desk.png' } },
  })
})

const refusals = [
  { scenario: 'upload-rejected', remedy: 'Only JPEG, PNG and GIF are supported. Convert the file to one of them.' },
  { scenario: 'upload-too-large', remedy: 'The file is too large. The maximum is 10 MB.' },
  { scenario: 'upload-corrupt', remedy: 'The file seems to be damaged. Export it again, or choose another file.' },
]

for (const { scenario, remedy } of refusals) {
  test(`${scenario}: suggests the fix`, async ({ page, mock, shop }) => {
    await mock.use(scenario)
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(shop.complaint).toHaveText(`Upload failed. ${remedy}`)
    await expect(page.getByRole('img', { name: 'The selected photo' })).toBeVisible()
  })
}
