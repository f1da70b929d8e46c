// The customers of test mode. They are no rows: they exist in the checkout of a test payment and nowhere else, so nothing
// has to be set up, and nothing of them can be changed. Their names are reserved among people's handles.
import { timingSafeEqual } from 'node:crypto'
import type { Currency } from '../base/money.ts'

export interface SandboxCustomer {
  handle: string
  name: string
  /** Has nothing, ever: for shops that want to see how that looks. */
  poor: boolean
}

export const sandboxCustomers: readonly SandboxCustomer[] = [
  { handle: 'test_customer', name: 'Test Customer', poor: false },
  { handle: 'test_poor', name: 'Test Poor', poor: true },
]

/** No secrets: they are in the documentation and on the page. */
export const sandboxPassword = 'mfuko-sandbox'
export const sandboxPin = '4821'

export const sandboxCustomer = (handle: string): SandboxCustomer | undefined =>
  sandboxCustomers.find((customer) => customer.handle === handle)

export const isSandboxPin = (pin: string): boolean =>
  pin.length === sandboxPin.length && timingSafeEqual(Buffer.from(pin), Buffer.from(sandboxPin))

/** What the simulator makes of a number, by its last three digits. `000` stands for all others: paid. */
export const sandboxOutcomes = [
  '000',
  '019',
  '029',
  '039',
  '049',
  '059',
  '069',
  '079',
  '129',
  '139',
  '149',
  '159',
  '169',
  '999',
] as const
export type SandboxOutcome = (typeof sandboxOutcomes)[number]

const digitsOf: Partial<Record<Currency, number>> = { NGN: 13, ZAR: 11 }
const digitsElsewhere = 12

/** A number of that network that ends so. Nothing, when no outcome of the list is asked for. */
export function outcomePhone(
  network: { prefixes: readonly string[] } | undefined,
  outcome: string,
  currency: Currency,
): string | undefined {
  const prefix = network?.prefixes[0]
  if (prefix === undefined || !sandboxOutcomes.some((one) => one === outcome)) return undefined
  const length = 1 + (digitsOf[currency] ?? digitsElsewhere)
  return prefix.padEnd(length - outcome.length, '0') + outcome
}
