// PINs are guessed, by many at once and over all processes. A guess is counted before it is compared, so many at the same
// moment learn no more than one after the other: five, then a lock; ten, and it is over.
import { randomUUID } from 'node:crypto'
import { burst, told } from '../../rig/burst.ts'
import { asPerson, type Heard, type Request } from '../../rig/client.ts'
import type { Stage } from '../../rig/stage.ts'
import type { Person } from '../../rig/world.ts'
import { shuffled } from '../races/purse.ts'

const guessesAtOnce = 200
const [lockAt, failuresMax] = [5, 10]
const lockMinutes = 31

const guessOf = (person: Person, { to, pin }: { to: Person; pin: string }): Request => {
  const body = { recipient: to.handle, amount: 600, currency: 'UGX', pin }
  return asPerson(person, { act: 'send', route: 'POST /api/send', key: randomUUID(), body })
}

/** Of four digits, without the right one. */
const wrongPins = ({ scene }: Stage, { person, count }: { person: Person; count: number }): string[] =>
  shuffled(
    scene.chance,
    Array.from({ length: 10_000 }, (_, number) => String(number).padStart(4, '0')).filter(
      (pin) => pin !== person.pin,
    ),
  ).slice(0, count)

const beneficiary = ({ world }: Stage): Person => world.people.at(-2) as Person

/** Of those that were compared and wrong, in their order: the how manyth each was, as it was written down. */
async function counted({ cluster, database }: Stage, person: Person): Promise<number[]> {
  const rows = await cluster.query<{ failures: number }>(
    database,
    `select (details ->> 'failures')::int as failures from audit.events
     where actor_id = $1 and action in ('pin.failed', 'pin.locked') order by id`,
    [person.id],
  )
  return rows.map(({ failures }) => failures)
}

/** One of them is right. True when that was compared too. */
export async function guessAtOnce(stage: Stage, person: Person): Promise<boolean> {
  const { scene } = stage
  const to = beneficiary(stage)
  const wrong = wrongPins(stage, { person, count: guessesAtOnce - 1 })
  const guesses = shuffled(scene.chance, [...wrong, person.pin])
  const heard = await burst(
    stage,
    guesses.map((pin) => guessOf(person, { to, pin })),
  )
  const numbers = await counted(stage, person)
  // The right one, if its turn comes among the first five, takes back what was counted: so there may be a second count.
  const again = numbers.indexOf(1, 1)
  const counts = again < 0 ? [numbers] : [numbers.slice(0, again), numbers.slice(again)]
  const isInOrder = counts.every((count) => count.every((number, at) => number === at + 1))
  const mostOf = (at: number) => (at < counts.length - 1 ? lockAt - 1 : lockAt)
  if (!isInOrder || counts.some((count, at) => count.length > mostOf(at)))
    scene.fault(`wrong PINs of ${person.handle} were compared, by their count: ${numbers} (${told(heard)})`)
  judgeLocked(stage, { heard: heard.filter((_, at) => guesses[at] !== person.pin), person })
  await lockStands(stage, { person, when: 'after guesses at once' })
  return counts.length > 1 || heard.some(({ outcome }) => outcome === 'done')
}

/** Nobody hears anything but that it is wrong, or locked. */
function judgeLocked({ scene }: Stage, { heard, person }: { heard: readonly Heard[]; person: Person }): void {
  const odd = heard.filter(({ json }) => json?.code !== 'pin_incorrect' && json?.code !== 'pin_locked')
  if (odd.length > 0) scene.fault(`guesses at the PIN of ${person.handle} were answered: ${told(odd)}`)
}

/** The right one is refused by each process, at once. */
async function lockStands(stage: Stage, { person, when }: { person: Person; when: string }): Promise<void> {
  for (const service of stage.services) {
    const right = guessOf(person, { to: beneficiary(stage), pin: person.pin })
    const heard = await burst(stage, [right], { services: [service] })
    if (heard[0]?.json?.code !== 'pin_locked')
      stage.scene.fault(`${when} the PIN of ${person.handle} is good in a process: ${told(heard)}`)
  }
}

/** All there are, whenever the lock opens: ten are compared, and then none any more. */
export async function exhaust(
  stage: Stage,
  { person, guesses }: { person: Person; guesses: number },
): Promise<void> {
  const { scene } = stage
  const wrong = wrongPins(stage, { person, count: guesses })
  const rounds = 4
  const each = Math.ceil(wrong.length / rounds)
  for (let round = 0; round < rounds; round++) {
    const part = wrong.slice(round * each, (round + 1) * each)
    for (let from = 0; from < part.length; from += guessesAtOnce) {
      const some = part.slice(from, from + guessesAtOnce)
      const heard = await burst(
        stage,
        some.map((pin) => guessOf(person, { to: beneficiary(stage), pin })),
      )
      judgeLocked(stage, { heard, person })
    }
    stage.advance((stage.aheadMs() ?? 0) + lockMinutes * 60_000)
  }
  const compared = (await counted(stage, person)).length
  if (compared !== failuresMax)
    scene.fault(`${compared} of ${guesses} wrong PINs of ${person.handle} were compared, not ${failuresMax}`)
  await lockStands(stage, { person, when: 'after ten wrong ones, and half an hour,' })
}
