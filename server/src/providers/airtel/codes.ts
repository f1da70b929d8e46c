// Airtel's codes and what they mean here. DP008… are of collections, DP009… of payouts, ESB… of both. A code that is not
// in the table says neither yes nor no: the enquiry will.
import type { FailureCode, OperationKind } from '../contract.ts'

type Meaning = FailureCode | 'success' | 'pending' | 'unclear' | 'already_there' | 'not_found'

const meanings: Readonly<Record<string, Meaning>> = {
  DP00800001000: 'unclear',
  DP00800001001: 'success',
  DP00800001002: 'wrong_pin',
  DP00800001003: 'insufficient_balance',
  DP00800001004: 'amount_out_of_bounds',
  DP00800001005: 'phone_unreachable',
  DP00800001006: 'pending',
  DP00800001007: 'insufficient_balance',
  DP00800001008: 'cancelled_by_customer',
  DP00800001009: 'provider_error',
  // "Payee is barred, or not registered on the platform": by payee they mean the customer.
  DP00800001010: 'payer_not_found',
  DP00800001024: 'expired',
  DP00800001025: 'not_found',
  DP00800001026: 'provider_config',
  DP00800001029: 'expired',

  DP00900001000: 'unclear',
  DP00900001001: 'success',
  DP00900001003: 'payer_limit_reached',
  DP00900001004: 'amount_out_of_bounds',
  DP00900001005: 'provider_error',
  DP00900001006: 'pending',
  DP00900001007: 'insufficient_balance',
  DP00900001009: 'recipient_not_found',
  // "Payer is not an allowed user."
  DP00900001010: 'payer_not_found',
  // "A transaction with the same information is there": ours, for nobody else has the id.
  DP00900001011: 'already_there',
  DP00900001012: 'recipient_not_found',
  DP00900001013: 'cancelled_by_customer',
  // "May be processed or failed": only the enquiry knows.
  DP00900001014: 'unclear',
  DP00900001015: 'not_found',
  DP00900001016: 'provider_config',
  DP00900001017: 'already_there',
  DP00900001018: 'provider_config',

  ESB000001: 'provider_unavailable',
  ESB000004: 'provider_unavailable',
  ESB000008: 'provider_error',
  ESB000011: 'provider_error',
  ESB000014: 'unclear',
  ESB000033: 'payer_not_found',
  ESB000034: 'provider_config',
  ESB000035: 'provider_config',
  ESB000036: 'payer_not_found',
  ESB000039: 'provider_config',
  ESB000041: 'already_there',
  ESB000045: 'not_found',

  // From the door before the service, in a form of its own. Our PIN, our countries.
  ROUTER001: 'payer_not_found',
  ROUTER005: 'provider_config',
  ROUTER006: 'provider_config',
  ROUTER007: 'provider_config',
  ROUTER112: 'provider_config',
  ROUTER114: 'provider_config',
  ROUTER115: 'provider_config',
  ROUTER116: 'provider_config',
}

/** Of the first code that says something. `ESB000010` is in every answer that went well and says nothing more. */
export function meaningOf(told: {
  codes: readonly (string | undefined)[]
  message: string | undefined
  kind: OperationKind
}): Meaning | undefined {
  const code = told.codes.find((one) => one !== undefined && Object.hasOwn(meanings, one)) ?? ''
  // One code for two reasons: the balance, or the limit of the customer's wallet.
  if (code === 'DP00800001003' && /limit/i.test(told.message ?? '')) return 'payer_limit_reached'
  // "Failed": why, if at all, is in the words.
  if (code === 'DP00900001005' && /(incorrect|invalid|wrong) pin/i.test(told.message ?? ''))
    return 'wrong_pin'
  if (code === 'DP00900001005' && /n[o']t enter|unreachable/i.test(told.message ?? ''))
    return 'phone_unreachable'
  // One code for the number of who pays and of who gets.
  if (/^ESB0000(33|36)$|^ROUTER001$/.test(code) && told.kind === 'payout') return 'recipient_not_found'
  return meanings[code]
}

export const isFailure = (meaning: Meaning | undefined): meaning is FailureCode =>
  meaning !== undefined && !['success', 'pending', 'unclear', 'already_there', 'not_found'].includes(meaning)
