/**
 * commercetools-mock with the setup of its own server: strict, without a log, without authentication. It serves categories,
 * its simplest resource with drafts, versions and update actions.
 */
import { readFileSync } from 'node:fs'
import { CommercetoolsMock, getBaseResourceProperties } from '@labdigital/commercetools-mock'
import { toCategory } from './category.js'

const [port, file] = process.argv.slice(2)
const mock = new CommercetoolsMock({ strict: true, silent: true, defaultProjectKey: 'bench' })
for (const [index, { id }] of JSON.parse(readFileSync(file, 'utf8')).entries()) {
  await mock.project('bench').unsafeAdd('category', {
    ...getBaseResourceProperties(),
    ...toCategory(`resource number ${index}`),
    id,
    ancestors: [],
    assets: [],
  })
}
await mock.runServer(Number(port))
