// Whoever can write into the database gives one row the sealed contents of another: the service must not open them there. Else
// a shop that writes its own sealed secret into the row of another would sign in its name.
import { asPerson, type Heard, patient } from '../../rig/client.ts'
import type { Stage } from '../../rig/stage.ts'
import type { OpenShop, Vault } from './planted.ts'

interface Swapped {
  what: string
  table: string
  /** Finds the two rows; `$1` and `$2` name them. */
  rows: string
  names: [string | number, string | number]
  /** Asks for what the first of them holds. */
  ask: () => Promise<Heard>
  /** What the second one holds. */
  others: string
  own: string
}

/** `env` is what processes have now: each time others begin, which remember nothing. */
export async function swapAll(stage: Stage, vault: Vault, env: Record<string, string>): Promise<number> {
  const { scene } = stage
  const all = swapsOf(stage, vault)
  const judge = async (when: string, judgeOne: (swap: Swapped, heard: Heard) => string | undefined) => {
    for (const swap of all) {
      const problem = judgeOne(swap, await swap.ask())
      if (problem !== undefined) scene.fault(`${swap.what} ${when}: ${problem}`)
    }
  }
  const readsOwn = ({ own }: Swapped, { status, text }: Heard) =>
    text.includes(own) ? undefined : `it can not be read: ${status} ${text.slice(0, 200)}`
  await judge('before', readsOwn)
  await exchangeAll(stage, all)
  await onlyOne(stage, env)
  await judge('that was moved', ({ others }, { status, text }) => {
    if (text.includes(others)) return 'what belongs to another row was opened in this one'
    return status < 400 ? `it was answered with ${status}` : undefined
  })
  await exchangeAll(stage, all)
  await onlyOne(stage, env)
  await judge('that was put back', readsOwn)
  return all.length
}

async function onlyOne(stage: Stage, env: Record<string, string>): Promise<void> {
  const before = stage.services
  const next = await stage.start(env)
  stage.services = [next]
  stage.lead()
  await Promise.all(before.map((old) => old.end()))
}

async function exchangeAll({ cluster, database }: Stage, all: readonly Swapped[]): Promise<void> {
  for (const { table, rows, names } of all) {
    const found = await cluster.query<{ id: string }>(database, rows, names)
    await cluster.query(
      database,
      `update ${table} t set sealed = o.sealed from ${table} o
       where t.id::text = any ($1::text[]) and o.id::text = any ($1::text[]) and o.id <> t.id`,
      [found.map(({ id }) => id)],
    )
  }
}

function swapsOf({ client: busy, world }: Stage, { shops, mails }: Vault): Swapped[] {
  const client = patient(busy)
  const [one, other] = shops as [OpenShop, OpenShop]
  const [mail, otherMail] = mails as [Vault['mails'][0], Vault['mails'][0]]
  const { owner } = one
  return [
    {
      what: 'a Client Secret',
      table: 'merchants.client_secrets',
      rows: `select id::text from merchants.client_secrets
        where merchant_id in ($1, $2) and mode = 'live' and expires_at is null order by merchant_id = $1 desc`,
      names: [one.id, other.id],
      ask: () =>
        client.look(
          asPerson(owner, {
            act: 'make',
            route: 'POST /api/merchant/credentials/reveal',
            body: { mode: 'live', password: owner.password },
          }),
        ),
      own: one.secret,
      others: other.secret,
    },
    {
      what: 'a mail with a code',
      table: 'mail.messages',
      rows: 'select id::text from mail.messages where id in ($1, $2) order by id = $1 desc',
      names: [mail.id, otherMail.id],
      ask: () =>
        client.look(
          asPerson(world.operator, {
            act: 'make',
            route: 'GET /api/operator/mails/:id',
            path: `/api/operator/mails/${mail.id}`,
          }),
        ),
      own: mail.code,
      others: otherMail.code,
    },
  ]
}
