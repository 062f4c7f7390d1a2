import { Command } from 'commander'
import type { OptionName } from './options.ts'

/** The flags of the proxy alone, as they were typed. */
export interface ProxyFlags {
  readonly record?: string
  readonly fallback?: true
  readonly timeout: string
}

/** The options that the proxy shares with the mock. */
export const PROXY_OPTIONS: readonly OptionName[] = [
  'port',
  'host',
  'tlsCert',
  'tlsKey',
  'fixtures',
  'identity',
  'cors',
  'journal',
  'redact',
  'journalBytes',
  'maxSessions',
  'sessionTtl',
  'admin',
  'adminToken',
  'adminOrigin',
  'log',
]

/**
 * Builds `resource-mock proxy <url>`.
 *
 * @param addShared adds the options that the mock has too
 */
export function createProxyCommand(
  addShared: (command: Command) => void,
  proxy: (url: string, flags: ProxyFlags, command: Command) => Promise<void>,
): Command {
  const command = new Command('proxy')
    .summary('forward to a service, and hold both sides to the contract')
    .description(
      'Forwards every request to a service. Where request or answer breaks the contract, the header Sl-Violations and the log say so.',
    )
    .argument('<url>', 'the base URL of the service')
    .option('--record <dir>', 'write what is seen as fixtures, for --fixtures')
    .option('--fallback', 'serve from the mock what the service does not have, or while it is down')
    .option('--timeout <time>', 'how long the service may take for an answer', '30s')
  addShared(command)
  // Commander gives the flags as the options above declare them.
  return command.action(proxy)
}
