// The second factor of operators: a password alone opens nothing of theirs. A right code of the authenticator app opens
// the operator's side to this one login, for 12 hours. In production everybody needs one; elsewhere who has none is let in.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import * as audit from '../../audit/audit.ts'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { openSeal, placeIn, type SealedColumn } from '../../base/seal.ts'
import type { Secret } from '../../base/secret.ts'
import type { Db } from '../../db/db.ts'
import type { UserPrincipal } from '../../users/users.ts'
import * as sql from './sql.ts'
import { codeAt, stepAt } from './totp.ts'

export interface FactorOptions {
  db: Db
  clock: Clock
  secrets: { readonly enc: Secret }
  config: { readonly production: boolean }
}

const passMs = 12 * 3_600_000
const secretBytes = 20
/** Clocks of phones go wrong by so many steps. */
const stepsOff = [0, -1, 1]

export const factorSeeds: SealedColumn = { table: 'operators.factors', key: 'user_id', column: 'sealed' }

const placeOf = (user: string) => placeIn(factorSeeds, user)

/** Throws `second_factor_required` when this login must show a code first. */
export async function requirePass(
  { db, clock, config }: Pick<FactorOptions, 'db' | 'clock' | 'config'>,
  { id: user, session }: UserPrincipal,
): Promise<void> {
  const state = await sql.readState(db, { session, user, now: clock.now() })
  if (state?.passed || (!state?.enrolled && !config.production)) return
  const detail = state?.enrolled
    ? 'Send a code of your authenticator app to POST /api/operator/second-factor first.'
    : 'You have no authenticator app yet. Who runs the service makes one: npm run operator -- totp <handle>'
  throw new AppError('second_factor_required', { detail })
}

/** A new secret for the authenticator app, shown once; one from before opens nothing any more. */
export async function enrol(
  { db, secrets }: Pick<FactorOptions, 'db' | 'secrets'>,
  { user, by, at }: { user: string; by: { kind: string; id: string }; at: Date },
): Promise<Buffer> {
  const secret = randomBytes(secretBytes)
  const sealed = openSeal(secrets.enc).seal(secret.toString('base64'), placeOf(user))
  await db.inTransaction(async (tx) => {
    await sql.putFactor(tx, { user, sealed, at })
    await sql.endPasses(tx, user)
    await audit.record(tx, {
      actor: by,
      action: 'operator.second_factor_made',
      object: user,
      result: 'ok',
      at,
    })
  })
  return secret
}

export interface Shown {
  principal: UserPrincipal
  code: string
  origin: { address?: string | undefined; requestId?: string | undefined }
}

/** A code opens once: who looked over the shoulder is too late. Resolves with until when it is open. */
export async function pass(options: FactorOptions, { principal, code, origin }: Shown): Promise<Date> {
  const { db, clock, secrets } = options
  const { id: user, session } = principal
  const now = clock.now()
  const seal = openSeal(secrets.enc)
  const event = { actor: { kind: 'user', id: user }, object: user, ...origin, at: now } as const
  const until = await db.inTransaction(async (tx) => {
    const factor = await sql.lockFactor(tx, user)
    const text = factor === undefined ? undefined : seal.open(factor.sealed, placeOf(user))
    const step = text === undefined ? undefined : stepOf(Buffer.from(text, 'base64'), { code, now })
    if (
      factor === undefined ||
      text === undefined ||
      step === undefined ||
      BigInt(step) <= factor.last_step
    ) {
      await audit.record(tx, { ...event, action: 'operator.second_factor', result: 'refused' })
      return undefined
    }
    // Sealed anew each time, so that a replaced key is soon needed by none.
    await sql.useStep(tx, { user, step, sealed: seal.seal(text, placeOf(user)) })
    await sql.sweepPasses(tx, now)
    const end = new Date(now.getTime() + passMs)
    await sql.addPass(tx, { session, user, until: end })
    await audit.record(tx, { ...event, action: 'operator.second_factor', result: 'ok' })
    return end
  })
  if (until === undefined) {
    const errors = { code: 'Code is wrong, or was used already. Wait for the next one.' }
    throw new AppError('validation_failed', { errors })
  }
  return until
}

function stepOf(secret: Buffer, { code, now }: { code: string; now: Date }): number | undefined {
  const current = stepAt(now)
  const given = Buffer.from(code)
  return stepsOff
    .map((off) => current + off)
    .find((step) => {
      const right = Buffer.from(codeAt(secret, step))
      return right.length === given.length && timingSafeEqual(right, given)
    })
}
