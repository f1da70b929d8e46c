// The transaction PIN. Too short for slow hashing to protect, so what is kept is an HMAC under a key that is not in the
// database, and what stops guessing is a counter: a try is counted before it is compared, in one statement.
// The fast way writes nothing: while nothing has failed, a PIN is compared with what is remembered. That is safe because
// every counted failure, in whatever process, changes the guard: `check` asks the database for it before it compares, and
// of `checkNow`, which asks nobody, nothing may be told but what the ledger says, which refuses an older guard. And the
// first wrong one ends the fast way in this process at once.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Secret } from '../base/secret.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { deriveKeys, type Key, macOf } from './keys.ts'
import { type KnownPerson, knownPerson, type People, type Person, type PinState } from './people.ts'
import { notify, type Origin, record } from './room.ts'
import * as sql from './sql.ts'

export interface PinCheck {
  user: string
  pin: string
  /** Where it was sent from: a wrong one is written down with it. */
  origin: Origin
}

export interface Pins {
  /**
   * Without waiting: who it is when the PIN is right and nothing else is to be looked at. It may have been locked elsewhere,
   * so whoever takes this must post with its guard, and tell nothing of what he finds before. Undefined: `check` must tell.
   */
  checkNow(check: PinCheck): { person: Person } | undefined
  check(check: PinCheck): Promise<{ person: Person }>
  /** True when there was one before. The caller writes down that the person has changed. */
  set(tx: Tx, options: { user: string; pin: string; now: Date }): Promise<boolean>
}

export interface PinsOptions {
  db: Db
  ledger: Ledger
  clock: Clock
  people: People
  secret: Secret
}

const lockAt = 5
const failuresMax = 10
const lockMs = 30 * 60_000

export function openPins(options: PinsOptions): Pins {
  const keys = deriveKeys(options.secret, 'pin')
  const { people, clock } = options
  return {
    checkNow: ({ user, pin: given }) => {
      const known = people.now(user)
      if (known?.pin === undefined || known.person.frozen || !isSimple(known.pin, keys)) return undefined
      return matches(keys, { user, pin: given, stored: known.pin }) ? known : undefined
    },
    check: async (check) => {
      const known = await upToDate(people, check.user)
      const { person, pin } = known
      // The same work when there is none, so that the time says nothing.
      const right = matches(keys, { user: check.user, pin: check.pin, stored: pin ?? nothing })
      if (person.frozen) throw new AppError('account_frozen')
      if (pin === undefined) throw new AppError('pin_not_set')
      const simple = isSimple(pin, keys)
      if (simple && right) return { person }
      // From now on every try in this process is counted first, until the database has been read again.
      if (simple) pin.failures = 1
      else if (isLocked(pin, clock.now())) throw locked(pin)
      return countAndCompare(options, { keys, check, known })
    },
    set: async (tx, { user, pin, now }) => {
      const salt = randomBytes(16)
      const mac = macOf(keys[0], ['pin', keys[0].id, user, salt, pin])
      const set = await sql.setPin(tx, { user, keyId: keys[0].id, salt, mac, now })
      await options.ledger.changeGuard(tx, user)
      return set?.changed === true
    },
  }
}

/** As it is in the database when it is asked for, whatever other processes have counted. */
async function upToDate(people: People, user: string): Promise<KnownPerson> {
  const remembered = people.now(user)
  if (remembered !== undefined && (await people.guardOf(user)) === remembered.person.guard) return remembered
  people.forget(user)
  return (await people.known(user)) ?? gone()
}

/** Nothing has failed, and it is kept under the key in use. */
const isSimple = (pin: PinState, keys: readonly [Key, ...Key[]]) =>
  pin.failures === 0 && pin.keyId === keys[0].id

const nothing: PinState = {
  keyId: '',
  salt: Buffer.alloc(16),
  mac: Buffer.alloc(32),
  failures: 0,
  lockedUntil: undefined,
}

interface Match {
  user: string
  pin: string
  stored: Pick<PinState, 'keyId' | 'salt' | 'mac'>
}

function matches(keys: readonly [Key, ...Key[]], { user, pin, stored }: Match): boolean {
  const key = keys.find(({ id }) => id === stored.keyId) ?? keys[0]
  return timingSafeEqual(macOf(key, ['pin', key.id, user, stored.salt, pin]), stored.mac)
}

const isLocked = ({ failures, lockedUntil }: PinState, now: Date) =>
  failures >= failuresMax || (lockedUntil !== undefined && lockedUntil > now)

const locked = ({ failures }: Pick<PinState, 'failures'>) =>
  new AppError('pin_locked', failures >= failuresMax ? { detail: disabledDetail } : {})

/** A lock that no waiting ends. */
export const isPinDisabled = ({ code, detail }: AppError): boolean =>
  code === 'pin_locked' && detail === disabledDetail

const disabledDetail = 'The PIN is disabled after too many wrong ones. Set a new one with the password.'

interface Counting {
  keys: [Key, ...Key[]]
  check: PinCheck
  known: KnownPerson
}

/** The row is locked from the count to the commit, so what is compared was counted, and by nobody else. */
async function countAndCompare(options: PinsOptions, { keys, check, known }: Counting) {
  const { db, ledger, clock, people } = options
  const now = clock.now()
  const { user, pin } = check
  const found = await db.inTransaction(async (tx) => {
    const lockedUntil = new Date(now.getTime() + lockMs)
    const row = await sql.countPinTry(tx, { user, now, lockAt, lockedUntil, failuresMax })
    if (row === undefined) return undefined
    const stored = { keyId: row.key_id, salt: row.salt, mac: row.mac }
    const right = matches(keys, { user, pin, stored })
    if (right) {
      const mac = macOf(keys[0], ['pin', keys[0].id, user, row.salt, pin])
      await sql.clearPinTries(tx, { user, keyId: keys[0].id, mac })
    }
    const guard = await ledger.changeGuard(tx, user)
    await sql.addChange(tx, user)
    if (!right)
      await tellFailure(tx, { person: known.person, failures: row.failures, origin: check.origin, now })
    // Read behind the guard: a freeze that is not seen here comes later, and changes the guard again.
    const [fresh] = await sql.personById(tx, user)
    return { right, failures: row.failures, person: knownPerson(fresh ?? gone(), guard).person }
  })
  people.forget(user)
  if (found === undefined) throw locked((await people.known(user))?.pin ?? { failures: 0 })
  if (!found.right) {
    const attemptsLeft = (found.failures <= lockAt ? lockAt : failuresMax) - found.failures
    throw new AppError('pin_incorrect', { attemptsLeft })
  }
  if (found.person.frozen) throw new AppError('account_frozen')
  return { person: found.person }
}

const gone = (): never => {
  throw new AppError('unauthenticated')
}

interface Failure {
  person: Person
  failures: number
  origin: Origin
  now: Date
}

async function tellFailure(tx: Tx, { person, failures, origin, now }: Failure): Promise<void> {
  const disabled = failures === failuresMax
  const locks = failures === lockAt || disabled
  await record(tx, {
    user: person.id,
    action: locks ? 'pin.locked' : 'pin.failed',
    result: 'refused',
    details: { failures },
    origin,
    at: now,
  })
  if (locks)
    await notify(tx, person, {
      template: 'pin_locked',
      data: { time: now, ...(disabled ? { disabled: 'yes' } : {}) },
    })
}
