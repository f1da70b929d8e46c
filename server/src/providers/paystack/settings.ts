import { StartError } from '../../base/errors.ts'
import type { Currency } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import type { Config } from '../../config.ts'
import type { ProviderSettings } from '../contract.ts'
import { allOrNone, secretOf } from '../settings.ts'

export interface PaystackSettings extends ProviderSettings {
  secretKey: Secret
  /** Paystack wants an e-mail of everybody who pays; many people here have none. It sends its receipts there. */
  emailOfNobody: string
}

export const cardCurrencies = ['NGN', 'KES', 'ZAR', 'USD'] as const satisfies Currency[]

/** Undefined: not set up. */
export function settingsFrom(
  config: Pick<
    Config,
    'PAYSTACK_BASE_URL' | 'PAYSTACK_SECRET_KEY' | 'PAYSTACK_CURRENCIES' | 'MAIL_FROM' | 'BASE_URL'
  >,
): PaystackSettings | undefined {
  const { PAYSTACK_SECRET_KEY, PAYSTACK_CURRENCIES } = config
  const given = allOrNone('Paystack', { PAYSTACK_SECRET_KEY, PAYSTACK_CURRENCIES })
  if (given === undefined) return undefined
  return {
    baseUrl: config.PAYSTACK_BASE_URL ?? productionUrl,
    currencies: readCurrencies(given.PAYSTACK_CURRENCIES),
    secretKey: secretOf(given.PAYSTACK_SECRET_KEY),
    emailOfNobody:
      config.MAIL_FROM ?? `no-reply@${new URL(config.BASE_URL ?? 'http://example.com').hostname}`,
  }
}

const productionUrl = 'https://api.paystack.co'

function readCurrencies(text: string): Currency[] {
  const codes = text.split(',').map((code) => code.trim())
  const known = cardCurrencies.filter((currency) => codes.includes(currency))
  if (known.length === new Set(codes).size) return known
  throw new StartError(
    `PAYSTACK_CURRENCIES must be a list of ${cardCurrencies.join(', ')}, not "${text.slice(0, 64)}".`,
  )
}

/** What the simulator accepts. */
export const simulatorSettings = (baseUrl: string): PaystackSettings => ({
  baseUrl,
  secretKey: secretOf('sk_test_simulator'),
  emailOfNobody: 'nobody@example.com',
})
