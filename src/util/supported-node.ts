import { SetupError } from '../errors.ts'

/** The version of Node that this runs on; browsers and other runtimes have none. */
const node: string | undefined = globalThis.process?.versions?.node
const [major = 0, minor = 0] = node?.split('.').map(Number) ?? []

// Each entry imports this file first: the modules after it fail on an older Node.
if (node !== undefined && (major < 20 || (major === 20 && minor < 19))) {
  throw new SetupError(`resource-mock needs Node 20.19 or newer, but this is Node ${node}. Install a newer Node.`)
}
