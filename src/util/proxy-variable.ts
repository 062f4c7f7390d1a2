/** A variable of the environment that names a proxy. */
export interface ProxyVariable {
  readonly name: string
  /** The proxy's address, without user information. */
  readonly address: string
}

/** Whether NO_PROXY, a list of hosts with their subdomains and perhaps a port, exempts a URL. */
function isExempt(url: URL, list: string): boolean {
  if (list === '*') return true
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list.split(/[,\s]+/).some((entry) => {
    const [, name = entry, onlyPort = port] = /^(.+):(\d+)$/.exec(entry) ?? []
    const host = name.replace(/^\*?\./, '').toLowerCase()
    return host !== '' && onlyPort === port && (url.hostname === host || url.hostname.endsWith(`.${host}`))
  })
}

/**
 * The variable that applies to a URL, with the rules of undici: lower case comes first, HTTP_PROXY is also for `https:` if
 * there is no HTTPS_PROXY, and NO_PROXY exempts hosts.
 */
export function findProxyVariable(url: URL): ProxyVariable | undefined {
  const env = globalThis.process?.env ?? {}
  const findSet = (upper: string) => {
    const name = [upper.toLowerCase(), upper].find((one) => env[one] !== undefined)
    return name === undefined || env[name] === '' ? undefined : { name, value: env[name] ?? '' }
  }
  const found = (url.protocol === 'https:' ? findSet('HTTPS_PROXY') : undefined) ?? findSet('HTTP_PROXY')
  if (found === undefined || isExempt(url, findSet('NO_PROXY')?.value ?? '')) return undefined
  const { protocol, host } = URL.canParse(found.value) ? new URL(found.value) : { protocol: '', host: '' }
  return { name: found.name, address: host === '' ? 'without a valid URL' : `${protocol}//${host}` }
}
