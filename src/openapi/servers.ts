/** A base URL of the mock, and whether it names region and cloud provider (specification, section 1) already. */
export interface DocumentBase {
  readonly url: string
  readonly isPlaced: boolean
}

export interface DocumentServer {
  readonly url: string
  readonly description: string
  readonly variables?: Readonly<
    Record<'region' | 'cloudProvider', { readonly default: string; readonly description: string }>
  >
}

/** The addresses that the document's paths are appended to. */
export function toServers({ url, isPlaced }: DocumentBase): readonly DocumentServer[] {
  const plain = { url, description: 'The mock' }
  if (isPlaced) return [plain]
  return [
    plain,
    {
      url: `${url}/{region}/{cloudProvider}`,
      description: 'The mock, each region and cloud provider with its own data',
      variables: {
        region: { default: 'eu', description: 'Free text' },
        cloudProvider: { default: 'gcp', description: 'Free text' },
      },
    },
  ]
}
