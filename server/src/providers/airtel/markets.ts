// Where Airtel Money is: one row a currency. Its interface is one, but each country has an account of its own.

import { StartError } from '../../base/errors.ts'
import type { Currency } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import type { Config } from '../../config.ts'
import type { ProviderSettings } from '../contract.ts'
import { secretOf } from '../settings.ts'

export interface Country {
  code: string
  /** Phone numbers begin with it; Airtel wants them without. */
  callingCode: string
  setting: 'AIRTEL_UGANDA' | 'AIRTEL_KENYA' | 'AIRTEL_TANZANIA' | 'AIRTEL_RWANDA'
}

export const countries: Partial<Record<Currency, Country>> = {
  UGX: { code: 'UG', callingCode: '+256', setting: 'AIRTEL_UGANDA' },
  KES: { code: 'KE', callingCode: '+254', setting: 'AIRTEL_KENYA' },
  TZS: { code: 'TZ', callingCode: '+255', setting: 'AIRTEL_TANZANIA' },
  RWF: { code: 'RW', callingCode: '+250', setting: 'AIRTEL_RWANDA' },
}
export const marketCurrencies = Object.keys(countries) as Currency[]

/** What Airtel issues for one country. */
export interface Market {
  clientId: string
  clientSecret: Secret
  /** Of the account that payouts come from. */
  pin: Secret
  /** Signs callbacks, where that is switched on in the portal. */
  callbackKey: Secret | undefined
}

export interface AirtelSettings extends ProviderSettings {
  markets: Partial<Record<Currency, Market>>
  /** Whether requests carry `x-signature` and `x-key`, and go to the paths that want them. */
  signing: boolean
}

/** Undefined: not set up. */
export function settingsFrom(
  config: Pick<Config, Country['setting'] | 'AIRTEL_BASE_URL' | 'AIRTEL_SIGNING'>,
): AirtelSettings | undefined {
  const markets: AirtelSettings['markets'] = {}
  for (const currency of marketCurrencies) {
    const setting = countries[currency]?.setting
    const given = setting && config[setting]
    if (setting && given) markets[currency] = marketFrom(setting, given)
  }
  const currencies = marketCurrencies.filter((currency) => markets[currency])
  if (currencies.length === 0) return undefined
  return {
    baseUrl: config.AIRTEL_BASE_URL ?? productionUrl,
    currencies,
    markets,
    signing: config.AIRTEL_SIGNING === 'on',
  }
}

export const productionUrl = 'https://openapi.airtel.africa'

function marketFrom(setting: string, given: string): Market {
  const [clientId, clientSecret, pin = '', ...callbackKey] = given.split(':')
  if (!clientId || !clientSecret || !/^\d{4}$/.test(pin))
    throw new StartError(
      `${setting} must be "client id:client secret:PIN", the PIN four digits, and ":callback key" behind it if callbacks are signed.`,
    )
  return {
    clientId,
    clientSecret: secretOf(clientSecret),
    pin: secretOf(pin),
    callbackKey: callbackKey.length === 0 ? undefined : callbackKeyFrom(setting, callbackKey.join(':')),
  }
}

const callbackKeyLengthMin = 16

/** With an empty key anybody can make the hash, and a short one is guessed. */
function callbackKeyFrom(setting: string, key: string): Secret {
  if (key.length < callbackKeyLengthMin)
    throw new StartError(
      `The callback key at the end of ${setting} must have at least ${callbackKeyLengthMin} characters: copy it from Airtel's portal, or leave it out with the colon before it if callbacks are not signed.`,
    )
  return secretOf(key)
}

/** What the simulator accepts, in every country. */
export function simulatorSettings(baseUrl: string): AirtelSettings {
  const market = marketFrom('AIRTEL_UGANDA', 'simulator:simulator-secret:1234:simulator-hash-key')
  return {
    baseUrl,
    markets: Object.fromEntries(marketCurrencies.map((currency) => [currency, market])),
    signing: false,
  }
}
