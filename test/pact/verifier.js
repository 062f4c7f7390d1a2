/** Verifies a provider against a pact file, as docs/pact.md shows it: node verifier.js <file> <provider's base URL>. */
import { Verifier } from '@pact-foundation/pact'

const [, , file = '', providerBaseUrl = ''] = process.argv

try {
  await new Verifier({
    providerBaseUrl,
    providerStatesSetupUrl: `${providerBaseUrl}/_pactSetup`,
    pactUrls: [file],
    logLevel: 'warn',
  }).verifyProvider()
} catch (fault) {
  console.error(fault)
  process.exitCode = 1
}
