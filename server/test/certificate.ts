// Certificates made on the spot, so that no key lies in the tree: X.509 in its own encoding, as far as a TLS server of a
// test needs it.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  /** PEM. */
  key: string
  cert: string
}

export interface CertificateOptions {
  /** The host it is for. */
  name: string
  from?: Date
  to?: Date
  /** Absent: it signs itself. */
  issuer?: Authority
}

export interface Authority extends Certificate {
  keyObject: KeyObject
  name: string
}

const dayMs = 86_400_000

export function makeCertificate({ name, from, to, issuer }: CertificateOptions): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const now = new Date()
  const isAuthority = issuer === undefined
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    // A leading zero or one would need another form.
    integer(Buffer.from([0x40 | ((randomBytes(1)[0] ?? 0) % 64), ...randomBytes(7)])),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    sequence(time(from ?? new Date(now.getTime() - dayMs)), time(to ?? new Date(now.getTime() + dayMs))),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(
        extension('551d11', sequence(tagged(0x82, Buffer.from(name)))),
        ...(isAuthority ? [extension('551d13', sequence(tagged(0x01, Buffer.from([0xff]))))] : []),
      ),
    ),
  )
  const signature = sign('sha256', body, issuer?.keyObject ?? privateKey)
  const der = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    name,
    keyObject: privateKey,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts)
const objectId = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))

const integer = (bytes: Buffer) => tagged(0x02, bytes)

const nameOf = (name: string) =>
  sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(name)))))

const time = (date: Date) =>
  tagged(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))

const extension = (id: string, value: Buffer) => sequence(objectId(id), tagged(0x04, value))
