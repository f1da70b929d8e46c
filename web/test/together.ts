// People of groups and campaigns in their browsers: what the tests of both share.
import type { Page } from 'playwright-core'
import { fund, register, type TestPerson, testPassword } from '../../server/test/people.ts'
import { type Dashboard, type Opened, phone } from './dashboard.ts'

export interface Visits {
  /** Somebody with a PIN and UGX 500,000. */
  rich(name: string): Promise<TestPerson>
  visit(person: TestPerson, path: string, size?: { width: number; height: number }): Promise<Opened>
}

export const openVisits = (server: Dashboard): Visits => ({
  rich: async (name) => {
    const person = await register(server, { name })
    await fund(server, person, { amount: '500000' })
    return person
  },
  visit: (person, path, size = phone) =>
    server.open({ handle: person.handle, password: testPassword, path, size }),
})

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).click()

/** In the dialog that is open. */
export const confirm = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name }).click()

/** By the keys on the screen, as a thumb does it. */
export async function typePin(page: Page, pin: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const digit of pin) await dialog.getByRole('button', { name: digit, exact: true }).click()
}

/** From the button below what is shown to the receipt. Returns its reference. */
export async function pay(page: Page, person: TestPerson, text: RegExp): Promise<string> {
  await press(page, text)
  await typePin(page, person.pin)
  await confirm(page, text)
  const reference = page.locator('.together-reference strong')
  await reference.waitFor()
  return (await reference.textContent()) ?? ''
}
