// Who a browser is in the checkout. One cookie, sealed, for ten minutes: which customer logged in for which payment. It
// opens nothing but those payments, and pays nothing without the PIN. It is set by a login and never by a mere look:
// a customer who comes from the shop doesn't send it (SameSite=Strict), and a new one would throw out another tab.
// Forms carry a proof that they were on a page of ours for this payment, and, once somebody has logged in, in this
// browser. Proofs are never twice the same, so that compression can't betray them.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { check } from '../base/check.ts'
import type { Seal } from '../base/seal.ts'
import { openSeal } from '../base/seal.ts'
import type { Secret } from '../base/secret.ts'

export interface Visit {
  /** By chance. */
  browser: string
  logins: readonly VisitLogin[]
}

interface VisitLogin {
  /** The number of the payment. */
  payment: string
  /** See customers.ts. */
  customer: string
  /** In milliseconds. */
  until: number
}

/** What a form is good for: a payment, and a browser once somebody has logged in there. */
export interface Proven {
  token: string
  browser?: string | undefined
}

export interface Visits {
  /** Without logins that are over. Nothing, when it is not one of ours. */
  read(cookie: string | undefined, now: Date): Visit | undefined
  write(visit: Visit): string
  proof(proven: Proven): string
  isProof(text: string, proven: Proven): boolean
  /** For the address that a provider's page leads back to: it is stored, and must not hold the token. */
  sealReturn(payment: bigint): string
  openReturn(sealed: string): bigint | undefined
}

export const visitSeconds = 600
/** Payments that one browser is busy with at the same time. */
const loginsMax = 5
const place = { table: 'cookie', row: '-', column: 'checkout' }
const returnPlace = { table: 'address', row: '-', column: 'checkout' }
const nonceChars = 12

export function openVisits({ enc }: { enc: Secret }): Visits {
  const seal = openSeal(enc)
  const macs = [enc, ...enc.older].map(formMac)
  const [mac] = macs
  check(mac !== undefined, 'there is a key for forms')
  return {
    read: (cookie, now) => {
      const visit = opened(seal, cookie)
      return visit && { ...visit, logins: visit.logins.filter(({ until }) => until > now.getTime()) }
    },
    write: (visit) => seal.seal(JSON.stringify(visit), place).toString('base64url'),
    proof: (proven) => {
      const nonce = randomBytes(9).toString('base64url')
      return nonce + mac(nonce, proven).toString('base64url')
    },
    isProof: (text, proven) => {
      const given = Buffer.from(text.slice(nonceChars), 'base64url')
      // A form that was open while the secret was replaced is still good.
      return macs.some((made) => {
        const right = made(text.slice(0, nonceChars), proven)
        return given.length === right.length && timingSafeEqual(given, right)
      })
    },
    sealReturn: (payment) => seal.seal(String(payment), returnPlace).toString('base64url'),
    openReturn: (sealed) => {
      try {
        return BigInt(seal.open(Buffer.from(sealed.slice(0, 200), 'base64url'), returnPlace))
      } catch {
        return undefined
      }
    },
  }
}

function formMac(secret: Secret) {
  const key = Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'mfuko checkout forms', 32))
  return (nonce: string, { token, browser = '' }: Proven) =>
    createHmac('sha256', key).update(`${nonce} ${token} ${browser}`).digest()
}

/** Only what we sealed opens, so what is in it has our form. */
function opened(seal: Seal, cookie: string | undefined): Visit | undefined {
  if (cookie === undefined || cookie.length > 4_000) return undefined
  try {
    return JSON.parse(seal.open(Buffer.from(cookie, 'base64url'), place)) as Visit
  } catch {
    return undefined
  }
}

export const customerIn = (visit: Visit | undefined, payment: bigint): string | undefined =>
  visit?.logins.find((login) => login.payment === String(payment))?.customer

export function withLogin(
  visit: Visit | undefined,
  { payment, customer, now }: { payment: bigint; customer: string; now: Date },
): Visit {
  const { browser, logins } = withoutLogin(visit, payment) ?? {
    browser: randomBytes(16).toString('base64url'),
    logins: [],
  }
  const login = { payment: String(payment), customer, until: now.getTime() + visitSeconds * 1_000 }
  return { browser, logins: [login, ...logins].slice(0, loginsMax) }
}

export const withoutLogin = (visit: Visit | undefined, payment: bigint): Visit | undefined =>
  visit && { ...visit, logins: visit.logins.filter((login) => login.payment !== String(payment)) }
