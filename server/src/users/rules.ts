// What names, handles, PINs and passwords may be. Pure: each says the end of the sentence "Handle …", or nothing.

import { isIPv4, isIPv6 } from 'node:net'
import { labelOf } from '../base/labels.ts'
import type { Currency, Locale } from '../base/money.ts'
import { isGuessable } from './guessable.ts'

export const locales = ['en', 'sw', 'fr'] as const satisfies readonly Locale[]

/** ISO 3166 for "not told". */
export const unknownCountry = 'ZZ'

const homeCurrencies: Record<string, Currency> = {
  UG: 'UGX',
  KE: 'KES',
  TZ: 'TZS',
  RW: 'RWF',
  NG: 'NGN',
  ZA: 'ZAR',
}

/** The currency of a new person's first wallet. */
export const defaultCurrency = (country: string): Currency =>
  (Object.hasOwn(homeCurrencies, country) ? homeCurrencies[country] : undefined) ?? 'USD'

const callingCodes: Record<string, string> = {
  '+256': 'UG',
  '+254': 'KE',
  '+255': 'TZ',
  '+250': 'RW',
  '+234': 'NG',
  '+27': 'ZA',
}

/** Who tells no country is where the phone is. */
export const countryOf = ({ country, phone }: { country?: string | undefined; phone?: string | undefined }) =>
  country ?? Object.entries(callingCodes).find(([code]) => phone?.startsWith(code))?.[1] ?? unknownCountry

export const countries =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(
    ' ',
  )

export const countryProblem = (country: string): string | undefined =>
  countries.includes(country) ? undefined : 'must be a country code of two letters, like UG'

/** Field → sentence, of the ends of sentences that there are. */
export const sentences = (problems: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([field, problem]) => {
      return problem === undefined ? [] : [[field, `${labelOf(field)} ${problem}`]]
    }),
  )

/** Trimmed and composed: the same name is the same text. */
export const tidyName = (name: string): string => name.normalize('NFC').trim()

export const nameMax = 80

/** Control characters would break lines; marks of direction would let one name look like another. */
export function nameProblem(name: string): string | undefined {
  if (/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(name)) return 'must not have control characters'
  const tidied = tidyName(name)
  if (!/[\p{L}\p{N}]/u.test(tidied)) return 'must have at least one letter'
  return [...tidied].length > nameMax ? `must have at most ${nameMax} characters` : undefined
}

/** As it is stored: a leading `@` is decoration, and capitals are the same letters. */
export const tidyHandle = (handle: string): string => handle.trim().replace(/^@/, '').toLowerCase()

export const handleForm = /^[a-z][a-z0-9_]{2,19}$/

/** Names that would seem to speak for the service, or belong to it. */
const reservedHandles = new Set(
  `account accounts admin administrator anonymous api app billing checkout contact deposit finance fraud help helpdesk
   info legal mail merchant merchants mfuko money moderator nobody null official operator operators owner pay payment
   payments payout postmaster refund refunds root sandbox sales secure security service staff support system team
   test_customer test_poor treasury undefined user users wallet webmaster withdraw`.split(/\s+/),
)

export function handleProblem(handle: string, { brand }: { brand: string }): string | undefined {
  const tidied = tidyHandle(handle)
  if (!handleForm.test(tidied))
    return 'must have 3 to 20 letters a-z, digits or underscores, and start with a letter'
  return isReserved(tidied, brand) ? 'is reserved' : undefined
}

const isReserved = (handle: string, brand: string) =>
  reservedHandles.has(handle) || plainLetters(brand) === handle.replaceAll('_', '')

const plainLetters = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')

const handleBaseMax = 14

/** The start of a handle for somebody who chose none. Names in other scripts have no letters that a handle takes. */
export function handleBase(name: string, { brand }: { brand: string }): string {
  const letters = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, handleBaseMax)
    .replace(/_+$/, '')
  return handleForm.test(letters) && !isReserved(letters, brand) ? letters : 'user'
}

export const tidyEmail = (email: string): string => email.trim().toLowerCase()

const emailForm =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

export function emailProblem(email: string): string | undefined {
  const tidied = tidyEmail(email)
  const good = tidied.length <= 254 && tidied.indexOf('@') <= 64 && emailForm.test(tidied)
  return good ? undefined : 'must be an e-mail address, like amina@example.com'
}

const phoneForm = /^\+[1-9][0-9]{6,14}$/

export const phoneProblem = (phone: string): string | undefined =>
  phoneForm.test(phone) ? undefined : 'must be in international form, like +256700123456'

/** At a login people write it as they are used to. */
export const tidyPhone = (phone: string): string => phone.replace(/[\s().-]+/g, '').replace(/^00/, '+')

export interface OwnWords {
  handle?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  name?: string | undefined
  brand: string
}

export const passwordMin = 10
export const passwordMax = 128

export function passwordProblem(password: string, own: OwnWords): string | undefined {
  const length = [...password].length
  if (length < passwordMin) return `must have at least ${passwordMin} characters`
  if (length > passwordMax) return `must have at most ${passwordMax} characters`
  return isGuessable(password, ownWords(own))
    ? 'is too easy to guess: take more words, or other ones'
    : undefined
}

function ownWords({ handle, email, phone, name, brand }: OwnWords): string[] {
  const mailbox = email?.split('@')[0]
  const names = name?.split(/[\s_-]+/) ?? []
  const all = [handle, email, mailbox, phone, phone?.slice(1), phone?.slice(4), name, ...names, brand]
  return all.filter((word) => word !== undefined && word.length >= 3) as string[]
}

/** Only these digits: other scripts have digits too, and `\d` with the wrong flags would take them. */
const pinForm = /^[0-9]{4,6}$/

export function pinProblem(pin: string, { phone }: { phone?: string | undefined }): string | undefined {
  if (!pinForm.test(pin)) return 'must be 4 to 6 digits'
  const weak =
    isRun(pin) ||
    isRepeat(pin) ||
    isMirror(pin) ||
    isYear(pin) ||
    isColumn(pin) ||
    (phone?.includes(pin) ?? false)
  return weak ? 'is too easy to guess' : undefined
}

/** 1234, 4321, 7890, 2468: always one or two further. */
function isRun(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, place) => (Number(digit) - Number(pin[place]) + 10) % 10)
  return new Set(steps).size === 1 && [1, 2, 8, 9].includes(steps[0] ?? 0)
}

/** 1111, 1212, 123123, 112233, 1122 */
const isRepeat = (pin: string): boolean =>
  /^(\d+?)\1+$/.test(pin) || /^(?:(\d)\1)+$/.test(pin) || /^(?:(\d)\1\1)+$/.test(pin)

/** 1221, 12321, 123321 */
const isMirror = (pin: string): boolean => [...pin].toReversed().join('') === pin

const isYear = (pin: string): boolean => /^(?:19|20)\d\d$/.test(pin)

/** Down the middle of the keys, and other straight lines. */
const isColumn = (pin: string): boolean =>
  [
    '2580',
    '0852',
    '1470',
    '0741',
    '3690',
    '0963',
    '1397',
    '7931',
    '147258',
    '258369',
    '147369',
    '159753',
    '159357',
    '357159',
    '951753',
  ].some((line) => line === pin)

/** One home has a whole /64 of IPv6 addresses, so that is what counts as one address. */
export function networkOf(address: string | undefined): string {
  const plain = (address ?? '').replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(plain) || !isIPv6(plain)) return plain.slice(0, 64)
  const [head = '', tail] = plain.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}

/** What a program calls itself, short enough to be shown in a list. */
export const deviceOf = (userAgent: string | undefined): string =>
  (userAgent ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200) || 'unknown device'
