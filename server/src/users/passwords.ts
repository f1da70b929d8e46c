// Passwords: argon2id, then a keyed hash of its result (a pepper), in PHC form with the id of the key. Parameters and
// keys may change: what was made with older ones is still checked, and made anew at the next good login.
import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto'
import { check } from '../base/check.ts'
import type { Secret } from '../base/secret.ts'
import { type HashThreads, openHashThreads } from './hash-threads.ts'
import { deriveKeys, type Key, macOf } from './keys.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long when there is nothing to compare with: nobody can tell from the time whether an account exists. */
  verify(password: string, stored: string | undefined): Promise<{ right: boolean; outdated: boolean }>
  /** How many hashes were made so far. */
  made(): number
  close(): Promise<void>
}

export interface Cost {
  memory: number
  passes: number
  parallelism: number
}

/** Memory in KiB. The first takes about 50 ms of one core. */
export const passwordCosts = {
  standard: { memory: 19_456, passes: 2, parallelism: 1 },
  high: { memory: 65_536, passes: 3, parallelism: 1 },
} as const satisfies Record<string, Cost>
const saltBytes = 16
const tagBytes = 32
const dummySalt = Buffer.alloc(saltBytes, 'nobody')

const phcForm =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2}),keyid=([\w-]{8})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

export interface PasswordOptions {
  cost?: Cost
  /** Of its own, as many as there are cores, unless told. */
  threads?: number | HashThreads | undefined
}

export function openPasswords(secret: Secret, options: PasswordOptions = {}): Passwords {
  const { cost = passwordCosts.standard, threads } = options
  const keys = deriveKeys(secret, 'password')
  const pool = typeof threads === 'object' ? threads : openHashThreads(threads)
  let made = 0
  const tagOf = async (password: string, { key, salt, ...costs }: Cost & { key: Key; salt: Buffer }) => {
    const parameters: Argon2Parameters = {
      message: password,
      nonce: salt,
      memory: costs.memory,
      passes: costs.passes,
      parallelism: costs.parallelism,
      tagLength: tagBytes,
    }
    const tag = await pool.argon2id(parameters)
    made += 1
    return macOf(key, ['password', tag])
  }
  return {
    hash: async (password) => {
      const salt = randomBytes(saltBytes)
      const tag = await tagOf(password, { ...cost, key: keys[0], salt })
      return phcOf({ ...cost, keyId: keys[0].id, salt, tag })
    },
    verify: async (password, stored) => {
      const parts = stored === undefined ? undefined : readPhc(stored)
      const key = keys.find(({ id }) => id === parts?.keyId)
      if (parts === undefined || key === undefined) {
        await tagOf(password, { ...cost, key: keys[0], salt: dummySalt })
        return { right: false, outdated: false }
      }
      const right = timingSafeEqual(await tagOf(password, { ...parts, key }), parts.tag)
      const grown = (['memory', 'passes', 'parallelism'] as const).some((name) => parts[name] < cost[name])
      return { right, outdated: right && (grown || key !== keys[0]) }
    },
    made: () => made,
    close: pool.close,
  }
}

interface Phc extends Cost {
  keyId: string
  salt: Buffer
  tag: Buffer
}

const phcOf = ({ memory, passes, parallelism, keyId, salt, tag }: Phc): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism},keyid=${keyId}$${base64(salt)}$${base64(tag)}`

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function readPhc(text: string): Phc {
  const found = phcForm.exec(text)
  check(found !== null, 'a stored password has the form that we write')
  const [, memory, passes, parallelism, keyId = '', salt = '', tag = ''] = found
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    keyId,
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
