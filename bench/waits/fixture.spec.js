/** The same tests with and without the fixture `mock`: `test` comes from the package that the environment names. */
const { test } = await import(process.env.TEST_FROM)

const COUNT = 11
const PATH = '/acme/resource?limit=1'

const expectOk = (response) => {
  if (response?.status() !== 200) throw new Error(`The mock answered ${response?.status()}.`)
}

for (let at = 0; at < COUNT; at += 1) {
  test(`request ${at}`, async ({ request }) => expectOk(await request.get(PATH)))
}

for (let at = 0; at < COUNT; at += 1) {
  test(`page ${at}`, async ({ page }) => expectOk(await page.goto(PATH)))
}
