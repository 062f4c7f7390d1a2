import util from 'node:util'

/** What Vite's dev server and its preview server have of a banner. */
export interface Bannered {
  printUrls(): void
  readonly resolvedUrls: { readonly local: readonly string[]; readonly network: readonly string[] } | null
  readonly config: { readonly logger: { info(line: string): void } }
}

type BannerStyle = 'green' | 'bold' | 'cyan'

function paint(style: BannerStyle, text: string): string {
  const { stdout } = process
  return stdout.isTTY && stdout.hasColors() ? util.styleText(style, text) : text
}

/** Such as `no scenario`, `scenario slow`, `scenarios slow, conflict`. */
export function describeScenarios(active: readonly string[]): string {
  if (active.length === 0) return 'no scenario'
  return `${active.length === 1 ? 'scenario' : 'scenarios'} ${active.join(', ')}`
}

/** Adds a line to the banner: where the mock is, and what is active. */
export function extendBanner(server: Bannered, prefix: string, active: () => readonly string[]): void {
  const { printUrls } = server
  server.printUrls = function printUrlsAndMock() {
    printUrls.call(server)
    const { local, network } = server.resolvedUrls ?? { local: [], network: [] }
    const [base] = [...local, ...network]
    const url = base === undefined ? prefix : new URL(prefix, base).href
    const label = `${paint('green', '➜')}  ${paint('bold', 'Mock')}:`
    server.config.logger.info(`  ${label}    ${paint('cyan', url)} (${describeScenarios(active())})`)
  }
}
