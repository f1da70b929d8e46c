// The key pairs of the simulated providers. They are in the sources, private halves too: they protect nothing but play
// money, and a caller's settings can hold the public halves.
import { constants, createPrivateKey, createPublicKey, privateDecrypt } from 'node:crypto'
import { readFileSync } from 'node:fs'

const read = (name: string): string => readFileSync(new URL(`../keys/${name}`, import.meta.url), 'utf8')

const privateKeys = {
  daraja: createPrivateKey(read('daraja-private.pem')),
  airtel: createPrivateKey(read('airtel-private.pem')),
}

/** What M-Pesa's callers encrypt the initiator's password with. */
export const darajaCertificate = read('daraja-certificate.pem')

/** Airtel hands out its key as base64 of DER. */
export const airtelPublicKey = createPublicKey(read('airtel-public.pem'))
  .export({ type: 'spki', format: 'der' })
  .toString('base64')

/** RSA PKCS#1 v1.5, base64; undefined: not encrypted for this key, or not at all. */
export function decrypted(key: keyof typeof privateKeys, encrypted: string | undefined): string | undefined {
  if (encrypted === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(encrypted)) return undefined
  try {
    const options = { key: privateKeys[key], padding: constants.RSA_PKCS1_PADDING }
    return privateDecrypt(options, Buffer.from(encrypted, 'base64')).toString('utf8')
  } catch {
    return undefined
  }
}
