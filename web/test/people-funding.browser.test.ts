// Deposits and withdrawals promise: the provider's prompt is followed in words, the fee is shown before, and when something
// fails the page says first what happened to the money.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { reconcile } from '../../server/test/helpers.ts'
import { finish, patientDelays } from '../../server/test/open-orders.ts'
import { available, fund, register, testPassword, testPin } from '../../server/test/people.ts'
import { longTest } from '../../server/test/thorough.ts'
import { desktop, openDashboard } from './dashboard.ts'

const server = await openDashboard({ delays: patientDelays })
const { open, simulator } = server
afterEach(async () => {
  await finish(server, { patience: 0 })
  await reconcile(server)
})

const amina = await register(server, { handle: 'amina', name: 'Amina Nakato' })
const as = (handle: string) => ({ handle, password: testPassword })

const answerPrompt = (answer: Parameters<typeof simulator.phones.answer>[1]) => {
  const [prompt] = simulator.phones.prompts()
  assert.ok(prompt, 'the phone was asked')
  assert.ok(simulator.phones.answer(prompt.id, answer))
}

test('a deposit by phone: the prompt is waited for in words, refused once, then confirmed', async () => {
  const { page, look, lookMore, close } = await open({ ...as('amina'), path: '/deposit' })
  await page.getByRole('button', { name: 'Deposit' }).click()
  await page.getByText('Write a phone number').waitFor()
  await page.getByLabel('Phone number').fill('0750 000 999')
  assert.ok(await page.getByRole('radio', { name: /Airtel/ }).isChecked(), 'the number tells the network')
  await page.getByLabel('Phone number').fill('0772 345 999')
  assert.ok(await page.getByRole('radio', { name: /MTN/ }).isChecked())
  await page.getByLabel('Amount').fill('30000')
  await look('deposit')
  await page.getByRole('button', { name: 'Deposit UGX 30,000' }).click()
  await page.getByText('Waiting for you to confirm on 0772 •••999').waitFor()
  await look('deposit-waiting')
  answerPrompt({ answer: 'refused' })
  await page.getByText('No money came into your wallet').waitFor()
  await page.getByText('The request was refused on the phone').waitFor()
  await look('deposit-failed')
  assert.equal(await available(server, amina), 0n)

  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByLabel('Phone number').fill('0772 345 999')
  await page.getByLabel('Amount').fill('30000')
  await page.getByRole('button', { name: 'Deposit UGX 30,000' }).click()
  await page.getByText('Waiting for you to confirm on 0772 •••999').waitFor()
  await page.reload()
  await page.getByText('Waiting for you to confirm on 0772 •••999').waitFor()
  answerPrompt({ answer: 'approved', pin: '4821' })
  await page.getByText('The money is in your wallet').waitFor()
  await lookMore('deposit-done')
  assert.equal(await available(server, amina), 30_000n)
  await close()
})

longTest('a deposit by card: to the page of the provider and back', async () => {
  const kamau = await register(server, { handle: 'kamau', name: 'Kamau Njoroge', country: 'KE' })
  const { page, lookMore, troubles, close } = await open({ ...as('kamau'), path: '/deposit', size: desktop })
  await page.getByRole('radio', { name: 'Card' }).check()
  await page.getByLabel('Amount').fill('1250.50')
  await lookMore('deposit-card')
  await page.getByRole('button', { name: 'Deposit KES 1,250.50' }).click()
  await page.waitForURL(`${simulator.url}/paystack/pay/*`)
  await page.getByRole('button', { name: /^Pay KES/ }).click()
  await page.waitForURL(`${server.origin}/app/history/DP-*`)
  await page.getByText('The money is in your wallet').waitFor()
  assert.equal(await available(server, kamau, 'KES'), 125_050n)
  // The page of the provider is another place, and the only one.
  const others = troubles.filter((trouble) => !trouble.startsWith(`asked ${simulator.url}/`))
  troubles.splice(0, troubles.length, ...others)
  await close()
})

test('a withdrawal: fee before, set aside, on its way, arrived; refused, and the money is free again', async () => {
  const zola = await register(server, { handle: 'zola', name: 'Zola Mirembe' })
  await fund(server, zola, { amount: '100000' })
  const { page, look, lookMore, close } = await open({ ...as('zola'), path: '/withdraw', size: desktop })
  const fill = async (number: string) => {
    await page.getByLabel('Phone number').fill(number)
    await page.getByLabel('Amount').fill('20000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('UGX 20,200').waitFor()
  }
  const confirm = async () => {
    await page.getByRole('button', { name: 'Withdraw UGX 20,000' }).click()
    await page.getByLabel('Your PIN').fill(testPin)
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw UGX 20,000' }).click()
  }
  await page.getByLabel('Amount').fill('99990')
  await page.getByLabel('Phone number').fill('0772 345 999')
  await look('withdraw')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('not enough in this wallet for the amount and its fee').waitFor()
  await page.getByRole('link', { name: 'Change the amount' }).click()
  await fill('0772 345 999')
  await page.getByText('UGX 79,800').waitFor()
  await look('withdraw-check')
  await confirm()
  await page.getByText('On its way to 0772 •••999').waitFor()
  await page.getByText('UGX 20,200 is set aside').waitFor()
  await lookMore('withdraw-waiting')
  assert.equal(await available(server, zola), 79_800n)
  answerPrompt({ answer: 'approved', pin: '4821' })
  await page.getByText('The money has arrived').waitFor()
  assert.equal(await available(server, zola), 79_800n)

  await page.goto('/app/withdraw')
  await fill('0772 345 089')
  await confirm()
  await page.getByText('What was set aside is free again').waitFor()
  await page.getByText('The number has no account with the provider').waitFor()
  await lookMore('withdraw-failed')
  assert.equal(await available(server, zola), 79_800n)
  await close()
})
