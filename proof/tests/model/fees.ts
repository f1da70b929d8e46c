// What fees and amounts promise for every amount there is: a great many are tried on the service's own arithmetic, and a
// sample of them is asked for at its door.
import { feeOf, readMinor, splitFee, toDecimal } from '../../../server/src/base/money.ts'
import { readPrices } from '../../../server/src/base/prices.ts'
import type { Chance } from '../../../simulator/src/chance.ts'
import { minorOf, parseExactly, textAt } from '../../check/money.ts'
import { asPerson } from '../../rig/client.ts'
import type { Stage } from '../../rig/stage.ts'
import { eachOf, type Person } from '../../rig/world.ts'
import type { Scene } from '../../scene.ts'
import { type Currency, type Market, markets, percentOf, transferFee } from './model.ts'
import { decimal } from './steps.ts'
import { patiently } from './team.ts'

/** Of any length: as many small ones as large ones. */
function anyAmount(chance: Chance, most: bigint): bigint {
  const figures = String(most).length
  const text = `${1 + chance.below(9)}${chance.text('0123456789', chance.below(figures))}`
  const amount = BigInt(text)
  return amount > most ? (amount % most) + 1n : amount
}

/** True of this amount, and of what it may be split into. Undefined: all of it holds. */
function feeProblem(chance: Chance, market: Market, amount: bigint): string | undefined {
  const { currency, feeMost } = market
  const { transferFee: rules, paymentFee, withdrawalFee } = readPricesOnce()
  const fee = feeOf(amount, rules[currency])
  if (fee !== transferFee(amount, market))
    return `the fee is ${fee}, and should be ${transferFee(amount, market)}`
  if (fee < 1n || fee > feeMost) return `the fee of ${fee} is not from 1 to ${feeMost}`
  const split = splitFee({ minor: amount, currency }, rules)
  if (
    split === undefined
      ? fee < amount
      : split.fee.minor + split.rest.minor !== amount || split.rest.minor <= 0n
  )
    return 'fee and rest are not the amount'
  const less = anyAmount(chance, amount)
  if (feeOf(less, rules[currency]) > fee) return `${less} costs more`
  // In two to nine parts: rounding may save half a minor unit each.
  const parts = 2n + BigInt(chance.below(8))
  if (amount >= parts) {
    const part = amount / parts
    const last = amount - part * (parts - 1n)
    const inParts = feeOf(part, rules[currency]) * (parts - 1n) + feeOf(last, rules[currency])
    if (2n * (fee - inParts) > parts) return `in ${parts} parts it costs ${inParts} in place of ${fee}`
  }
  if (feeOf(amount, paymentFee[currency]) !== percentOf(amount, 2n)) return 'the fee of a payment is another'
  if (feeOf(amount, withdrawalFee[currency]) !== percentOf(amount, 1n))
    return 'the fee of a withdrawal is another'
  return undefined
}

let prices: ReturnType<typeof readPrices> | undefined
const readPricesOnce = () => {
  prices ??= readPrices()
  return prices
}

/** What was written is read as the same again, by us and by the service. */
function textProblem(amount: bigint, currency: Currency): string | undefined {
  const text = toDecimal({ minor: amount, currency })
  if (text !== decimal(amount, currency)) return `it is written ${text}`
  const read = readMinor(text, currency)
  return 'minor' in read && read.minor === amount ? undefined : `${text} is not read as it was written`
}

export function feeProperties(scene: Scene, amounts: number): void {
  for (const market of markets) {
    for (let at = 0; at < amounts; at++) {
      const amount = anyAmount(scene.chance, 10n * market.most)
      const problem = feeProblem(scene.chance, market, amount) ?? textProblem(amount, market.currency)
      if (problem === undefined) continue
      scene.fault(`${amount} minor units of ${market.currency}: ${problem}`)
      return
    }
  }
  scene.figure('amounts whose fees and text were tried, a currency', amounts)
}

/** What a preview says is what the model says. */
export async function previews({ client, scene, world }: Stage, count: number): Promise<void> {
  const [person, to] = world.people.slice(-2) as [Person, Person]
  const asked = Array.from({ length: count }, (_, at) => {
    const market = markets[at % markets.length] as Market
    const { least, most } = market
    return { market, amount: least + (anyAmount(scene.chance, most) % (most - least + 1n)) }
  })
  await eachOf(asked, 16, async ({ market, amount }) => {
    const { currency } = market
    const body = { recipient: to.handle, amount: decimal(amount, currency), currency }
    const request = asPerson(person, { act: 'read', route: 'POST /api/send/preview', body })
    const heard = await patiently(() => client.look(request))
    const said = parseExactly(heard.text)
    const read = (field: string) => minorOf(textAt(said, 'data', field), currency)
    const fee = transferFee(amount, market)
    if (read('fee') !== fee || read('recipient_gets') !== amount - fee)
      scene.fault(
        `a transfer of ${body.amount} ${currency} costs ${fee} minor units, and its preview: ${heard.text}`,
      )
  })
  scene.figure('previews', count)
}
