// What a browser does on the pages of a business.
import type { Page } from 'playwright-core'
import { thorough } from '../../server/test/thorough.ts'

export const part = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: /Parts|Rubriques/ })
    .getByRole('link', { name })
    .click()

export const secret = (page: Page, name: string) =>
  page.locator('.business-secret', { hasText: name }).locator('code').first().textContent() as Promise<string>

export const codeIn = (page: Page, title: string): Promise<string> =>
  page.getByRole('region', { name: title }).locator('pre').textContent() as Promise<string>

export type Look = (name: string) => Promise<void>

/** A page that was looked at before, in another state: in the thorough form, and for pictures. */
export async function lookAgain(look: Look, name: string) {
  if (thorough || process.env.PHOTOGRAPHS) await look(name)
}
