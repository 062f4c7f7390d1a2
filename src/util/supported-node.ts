import { SetupError } from '../errors.ts'

/** The Node version; undefined in browsers and other runtimes. */
const node: string | undefined = globalThis.process?.versions?.node
const [major = 0, minor = 0] = node?.split('.').map(Number) ?? []

// Every entry point imports this file first, because the modules after it fail on older versions of Node.
if (node !== undefined && (major < 20 || (major === 20 && minor < 19)))
  throw new SetupError(`resource-mock needs Node 20.19 or newer, but this is Node ${node}. Install a newer Node.`)
