// What callers need done that is no request of theirs: people, money, businesses and orders to begin with. Here for the app
// of a test; the proofs have hands of their own, which do the same from outside.
import type { Currency } from '../../src/base/money.ts'
import { codeSentTo } from '../accounts.ts'
import { type BusinessOptions, newBusiness, newOperator, type TestBusiness } from '../businesses.ts'
import { ask } from '../checkouts.ts'
import type { TestApp } from '../helpers.ts'
import { confirmMailbox, fund, type PersonOptions, register, type TestPerson } from '../people.ts'
import { matchedDay, unmatchedMoney, waitingOrder } from '../stuck-orders.ts'

/** `app` is what answers. */
export interface Hands extends Pick<TestApp, 'app'> {
  /** With a PIN. */
  register(options?: PersonOptions): Promise<TestPerson>
  newOperator(): Promise<TestPerson>
  fund(person: TestPerson, money: { amount: string; currency?: Currency }): Promise<void>
  newBusiness(options?: Pick<BusinessOptions, 'owner' | 'approved'>): Promise<TestBusiness>
  ask(business: TestBusiness, order: AskedOrder): Promise<{ token: string; path: string }>
  /** One person can have only so many at a time. */
  endCampaigns(owner: TestPerson): Promise<void>
  /** For these routes of the operators, something in a state that they deal with; its id. */
  stickOrder(path: string): Promise<string | undefined>
  /** The one that was mailed to them last, for what that route does. Absent: nobody can look into mails. */
  mailedCode?(person: TestPerson, path: string): Promise<string>
}

export interface AskedOrder {
  price: string
  description?: string
  notifyUrl?: string
}

export const appHands = (server: TestApp): Hands => ({
  app: server.app,
  register: (options) => register(server, options),
  newOperator: () => newOperator(server),
  fund: (person, money) => fund(server, person, money),
  newBusiness: (options) => newBusiness(server, options),
  ask: (business, order) => ask(server, business, order),
  endCampaigns: async ({ id }) => {
    await server.db.rows('update campaigns.campaigns set ended_at = created_at where owner_id = $1', [id])
  },
  stickOrder: (path) => {
    if (path.includes('/operations')) return waitingOrder(server)
    return path.includes('/unmatched') ? unmatchedMoney(server) : matchedDay(server)
  },
  mailedCode: async (person, path) => {
    if (path.includes('/password')) {
      await confirmMailbox(server, person)
      await server.users.mailResetCode({ handle: person.handle })
    }
    return codeSentTo(server.db, `${person.handle}@example.test`)
  },
})
