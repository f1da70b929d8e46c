// Phone numbers as people read them, and whose network they are on.

export interface Carrier {
  /** As the top of the screen says it. */
  name: string
  /** How money is sent there: `M-PESA`. */
  money: string
  country: string
  /** What its numbers begin with, without the plus. The first one makes the example numbers. */
  prefixes: readonly string[]
}

export const carriers: readonly Carrier[] = [
  {
    name: 'MTN',
    money: 'MTN MoMo',
    country: 'Uganda',
    prefixes: ['25677', '25676', '25678', '25679', '25631', '25639'],
  },
  {
    name: 'Airtel',
    money: 'Airtel Money',
    country: 'Uganda',
    prefixes: ['25675', '25670', '25674', '25620'],
  },
  {
    name: 'Safaricom',
    money: 'M-PESA',
    country: 'Kenya',
    prefixes: [
      ...['25470', '25471', '25472', '25474', '25479', '25411'],
      ...['254757', '254758', '254759', '254768', '254769'],
    ],
  },
  {
    name: 'Airtel',
    money: 'Airtel Money',
    country: 'Kenya',
    prefixes: ['25473', '25410', '25475', '254762', '25478'],
  },
  { name: 'MTN', money: 'MTN MoMo', country: 'Rwanda', prefixes: ['25078', '25079'] },
  { name: 'Airtel', money: 'Airtel Money', country: 'Rwanda', prefixes: ['25073', '25072'] },
  { name: 'Airtel', money: 'Airtel Money', country: 'Tanzania', prefixes: ['25568', '25569', '25578'] },
]

export function carrierOf(msisdn: string): Carrier | undefined {
  let best: { carrier: Carrier; length: number } | undefined
  for (const carrier of carriers) {
    for (const prefix of carrier.prefixes) {
      if (msisdn.startsWith(prefix) && prefix.length > (best?.length ?? 0))
        best = { carrier, length: prefix.length }
    }
  }
  return best?.carrier
}

/** A number of this network that ends like that. All of these countries have nine digits behind their code. */
export const exampleNumber = ({ prefixes: [prefix = ''] }: Carrier, lastThree: string): string =>
  `${prefix.padEnd(9, '0')}${lastThree}`

/** `+256 770 000 001` */
export function spaced(msisdn: string): string {
  const code = countryCodes.find((known) => msisdn.startsWith(known)) ?? msisdn.slice(0, 3)
  const rest = msisdn.slice(code.length)
  const groups = rest.length === 9 ? [3, 6] : rest.length === 10 ? [3, 6] : [3, 6, 9]
  const parts = [0, ...groups].map((start, at) => rest.slice(start, groups[at] ?? rest.length))
  return `+${code} ${parts.filter((part) => part !== '').join(' ')}`
}

const countryCodes = ['256', '254', '255', '250', '234', '27', '1']

/** From what a person typed, with its country code; undefined: that is no number. */
export function readNumber(typed: string): string | undefined {
  const digits = typed.replaceAll(/[\s().-]/g, '').replace(/^(\+|00)/, '')
  return /^[1-9][0-9]{7,14}$/.test(digits) ? digits : undefined
}

export const isMsisdn = (text: string): boolean => /^[1-9][0-9]{7,14}$/.test(text)
