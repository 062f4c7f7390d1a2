import { SetupError } from '../errors.ts'

/** A certificate and its private key, as PEM texts. */
export interface Tls {
  readonly cert: string
  readonly key: string
}

/**
 * Checks that a certificate and a key are readable and belong together, before anything listens.
 *
 * @throws {SetupError} when either is not PEM text, or the key does not match the certificate.
 */
export async function checkTls({ cert, key }: Tls): Promise<void> {
  const { createPrivateKey, X509Certificate } = await import('node:crypto')
  const certificate = readPem(() => new X509Certificate(cert), 'TLS certificate', 'BEGIN CERTIFICATE')
  const privateKey = readPem(() => createPrivateKey(key), 'TLS key', 'BEGIN PRIVATE KEY')
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new SetupError('The TLS key does not match the TLS certificate. Give the private key of that certificate.')
  }
}

function readPem<T>(read: () => T, what: string, begin: string): T {
  try {
    return read()
  } catch (cause) {
    throw new SetupError(
      `The ${what} cannot be read. Give an unencrypted PEM file. It has a line -----${begin}-----.`,
      { cause },
    )
  }
}
