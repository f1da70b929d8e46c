// The customers of test mode. They are no rows: they exist in the checkout of a test payment and nowhere else, so nothing
// has to be set up, and nothing of them can be changed. Their names are reserved among people's handles.
import { timingSafeEqual } from 'node:crypto'

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
