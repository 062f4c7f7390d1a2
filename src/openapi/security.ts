import type { Endpoint, ScopeName } from '../contract/endpoint.ts'
import { decision } from '../contract/decisions.ts'
import { toDecisions } from './decisions.ts'
import type { OperationObject } from './document-types.ts'

const scopes: Readonly<Record<ScopeName | 'manage_project', string>> = {
  view_test: 'Read resources',
  manage_test: 'Read, write and delete resources',
  manage_products: 'Upload images',
  manage_project: 'Everything in the project (D30)',
}

/** Scopes are bound to a project (specification, section 5). */
const toScope = (name: string): string => `${name}:{projectKey}`

/** How requests are admitted: the specification's bearer tokens, and where the mock issues them (D31). */
export const toSecuritySchemes = (baseUrl: string) => ({
  oauth2: {
    type: 'oauth2',
    description:
      'Send `Authorization: Bearer <token>`. Anonymous customers get tokens at `/oauth/{projectKey}/anonymous/token`, customers with a password at `/oauth/{projectKey}/customers/token`.',
    flows: {
      clientCredentials: {
        tokenUrl: `${baseUrl}/oauth/token`,
        refreshUrl: `${baseUrl}/oauth/token`,
        scopes: Object.fromEntries(Object.entries(scopes).map(([name, meaning]) => [toScope(name), meaning])),
      },
    },
    ...toDecisions([decision('D31'), decision('D32')]),
  },
})

/** Each scope that an endpoint accepts suffices alone. */
export const toSecurity = ({ scopes: accepted }: Endpoint): OperationObject['security'] =>
  accepted === 'anyToken' ? [{ oauth2: [] }] : accepted.map((scope) => ({ oauth2: [toScope(scope)] }))
