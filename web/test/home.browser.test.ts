// Coming in promises: who is new opens an account, who has one signs in and stays signed in after a reload, and what is
// wrong is said beside the field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { desktop, goodPassword, newAccount, openDashboard } from './dashboard.ts'

const { app, open } = await openDashboard()

test('a new person opens an account and sees an empty purse', async () => {
  const { page, look, close } = await open({ path: '/signup' })
  await page.getByRole('heading', { name: 'Open an account' }).waitFor()
  await look('sign-up')
  await page.getByLabel('Your name').fill('Zawadi Mrembo')
  await page.getByLabel('Phone number').fill('+256 770 123 456')
  await page.getByLabel('New password').fill('short')
  await page.getByLabel('PIN for payments').fill('1234')
  await page.getByRole('button', { name: 'Open an account' }).click()
  await page.locator('.field-error').first().waitFor()
  assert.ok((await page.locator('.field-error').count()) >= 2, 'both fields say what is wrong')
  await page.getByLabel('New password').fill(goodPassword)
  await page.getByLabel('PIN for payments').fill('4827')
  await page.getByRole('button', { name: 'Open an account' }).click()
  await page.getByRole('heading', { name: 'Hello Zawadi Mrembo' }).waitFor()
  await page.getByText('Nothing has happened yet').waitFor()
  await look('home-empty')
  await page.reload()
  await page.getByRole('heading', { name: 'Hello Zawadi Mrembo' }).waitFor()
  await close()
})

test('who signs in goes on where they wanted to go, and signs out for good', async () => {
  const { handle } = await newAccount(app)
  const { page, look, close } = await open({ path: '/history', size: desktop })
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await look('sign-in')
  await page.getByLabel('Handle, phone or e-mail').fill(handle)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  assert.equal(new URL(page.url()).pathname, '/app/history')
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const kept = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')
  assert.doesNotMatch(String(kept), /eyJ/, 'no token is kept')
  await close()
})
