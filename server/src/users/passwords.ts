// Passwords: argon2id, then a keyed hash of its result (a pepper), in PHC form with the id of the key. Parameters and
// keys may change: what was made with older ones is still checked, and made anew at the next good login. What must stay
// true: a name that nobody has costs the same hashes as one that somebody has, whenever their password was made.
import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto'
import { check } from '../base/check.ts'
import type { Secret } from '../base/secret.ts'
import { type HashThreads, openHashThreads } from './hash-threads.ts'
import { deriveKeys, type Key, macOf } from './keys.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * The same work whatever it is compared with, or with nothing: a hash at each cost that may be kept. So nobody can tell
   * from the time whether an account exists, or how old its password is.
   */
  verify(password: string, stored: string | undefined): Promise<Verified>
  /** How many hashes were made so far. */
  made(): number
  close(): Promise<void>
}

export interface Verified {
  right: boolean
  /** It should be made anew, with the parameters and the key of today. */
  outdated: boolean
  /** Where that was part of the work. */
  better?: string
}

export interface Cost {
  memory: number
  passes: number
  parallelism: number
}

/** Memory in KiB, the lowest first. The first takes about 50 ms of one core, the second five times that. */
const passwordCosts = {
  standard: { memory: 19_456, passes: 2, parallelism: 1 },
  high: { memory: 65_536, passes: 3, parallelism: 1 },
} as const satisfies Record<string, Cost>
const saltBytes = 16
const tagBytes = 32
const dummySalt = Buffer.alloc(saltBytes, 'nobody')

const phcForm =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2}),keyid=([\w-]{8})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

/** The one that was chosen, and those below: passwords that were made with one of them may still be kept. */
export function costsUpTo(name: keyof typeof passwordCosts): { cost: Cost; outgrown: readonly Cost[] } {
  const all = Object.values<Cost>(passwordCosts)
  const cost = passwordCosts[name]
  return { cost, outgrown: all.slice(0, all.indexOf(cost)) }
}

export interface PasswordOptions {
  cost?: Cost
  /** Lower ones that were used before, the lowest first. */
  outgrown?: readonly Cost[]
  /** Of its own, as many as there are cores, unless told. */
  threads?: number | HashThreads | undefined
}

export function openPasswords(secret: Secret, options: PasswordOptions = {}): Passwords {
  const { cost = passwordCosts.standard, outgrown = [], threads } = options
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
  const hash = async (password: string) => {
    const salt = randomBytes(saltBytes)
    const tag = await tagOf(password, { ...cost, key: keys[0], salt })
    return phcOf({ ...cost, keyId: keys[0].id, salt, tag })
  }
  const steps = [...outgrown, cost]
  return {
    hash,
    verify: async (password, stored) => {
      const parts = stored === undefined ? undefined : readPhc(stored)
      const key = keys.find(({ id }) => id === parts?.keyId)
      const known = parts === undefined || key === undefined ? undefined : { ...parts, key }
      let right = false
      let better: string | undefined
      // What was made before the cost was lowered is no step: it is compared, and nothing else is done.
      const isLowered = known !== undefined && !steps.some((step) => isSame(step, known))
      for (const step of isLowered ? [known] : steps) {
        if (known !== undefined && isSame(step, known))
          right = timingSafeEqual(await tagOf(password, known), known.tag)
        else if (right && step === cost) better = await hash(password)
        else await tagOf(password, { ...step, key: keys[0], salt: dummySalt })
      }
      const isGrown = known !== undefined && costParts.some((name) => known[name] < cost[name])
      const outdated = right && (isGrown || key !== keys[0])
      return { right, outdated, ...(better === undefined ? {} : { better }) }
    },
    made: () => made,
    close: pool.close,
  }
}

const costParts = ['memory', 'passes', 'parallelism'] as const

const isSame = (one: Cost, other: Cost): boolean => costParts.every((name) => one[name] === other[name])

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
