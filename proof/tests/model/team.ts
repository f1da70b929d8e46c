// Six people who have nothing to do with anybody else, with two shops, two groups and two campaigns of their own: so many
// sequences run at once on one service, and each is alone with its money. What they have is read from the API, and what
// the ledger has of them from the database.
import pg from 'pg'
import { isObject, minorOf, parseExactly, textAt } from '../../check/money.ts'
import { asPerson, type Client, type Heard } from '../../rig/client.ts'
import type { Stage } from '../../rig/stage.ts'
import { eachOf, newCampaign, newGroup, newShop, type Person, type Shop } from '../../rig/world.ts'
import { type Currency, type Model, markets, placeOf } from './model.ts'

export const peopleCount = 6
export const shopCount = 2

export interface TeamPot {
  place: 'groups' | 'campaigns'
  id: string
  currency: Currency
  /** Who may look into it, and take out of a campaign. */
  owner: number
}

export interface Team {
  number: number
  people: Person[]
  /** Of the first two. */
  shops: Shop[]
  pots: TeamPot[]
  /** How far its entries were looked at, by account. */
  marks: Map<string, { seq: bigint; balance: bigint; held: bigint }>
  /** As they were when everything was last compared; absent when that is not known. */
  known: Model | undefined
  /** What the service should have taken since the beginning. */
  fees: Map<Currency, bigint>
}

export interface Ground {
  client: Client
  db: pg.Pool
  aheadMs(): number
}

export function openGround(stage: Stage): Ground {
  const db = new pg.Pool({ connectionString: stage.cluster.adminUrlOf(stage.database), max: 4 })
  db.on('error', () => undefined)
  stage.scene.defer(() => db.end())
  return { client: stage.client, db, aheadMs: () => stage.aheadMs() ?? 0 }
}

const potCurrencies = ['UGX', 'KES'] as const

export async function openTeams(stage: Stage, count: number): Promise<Team[]> {
  const { client, world } = stage
  const numbers = Array.from({ length: count }, (_, at) => at)
  return eachOf(numbers, 4, async (number) => {
    const people = structuredClone(world.people.slice(number * peopleCount, (number + 1) * peopleCount))
    const shops = await eachOf(people.slice(0, shopCount), 1, (owner) =>
      newShop(client, { owner, operator: world.operator }),
    )
    const groups = await eachOf(potCurrencies, 1, (currency) =>
      newGroup(client, { people, currency, members: peopleCount }),
    )
    const campaigns = await eachOf(potCurrencies, 1, (currency) => newCampaign(client, { people, currency }))
    const potsOf = (place: TeamPot['place'], found: { id: string }[], owner: number): TeamPot[] =>
      found.map(({ id }, at) => ({ place, id, owner, currency: potCurrencies[at] ?? 'UGX' }))
    const pots = [...potsOf('groups', groups, 0), ...potsOf('campaigns', campaigns, peopleCount - 1)]
    return { number, people, shops, pots, marks: new Map(), known: undefined, fees: new Map() }
  })
}

/** A token is good for a day; the next one is had for it. */
export async function refreshTokens({ client }: Ground, team: Team): Promise<void> {
  for (const person of team.people) {
    const route = 'POST /api/auth/refresh'
    const heard = await patiently(() => client.look({ route, body: { token: person.token } }))
    if (heard.status !== 200) throw new Error(`no new token: ${heard.status} ${heard.text}`)
    person.token = heard.json.data.token
  }
}

/** Whose, and what is to be looked at. */
export interface Touched {
  people?: number[]
  shops?: number[]
  pots?: number[]
}

export const all: Required<Touched> = {
  people: Array.from({ length: peopleCount }, (_, at) => at),
  shops: Array.from({ length: shopCount }, (_, at) => at),
  pots: Array.from({ length: 2 * potCurrencies.length }, (_, at) => at),
}

/** What the API says they have, by place: `wallet 0 UGX: 500 held 0`. Nothing where nothing was ever. */
export async function seen(ground: Ground, team: Team, touched: Touched): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const keep = (place: string, row: unknown, currency: unknown) => {
    const balance = minorOf(textAt(row, 'balance'), currency)
    const held = minorOf(textAt(row, 'held') || '0', currency)
    found.set(`${place} ${currency}`, `${balance} held ${held}`)
  }
  const looks = [
    ...(touched.people ?? []).map(async (who) => {
      const rows = listIn(await look(ground, team.people[who], 'GET /api/wallets'))
      for (const row of rows) keep(`wallet ${who}`, row, textAt(row, 'currency'))
    }),
    ...(touched.shops ?? []).map(async (shop) => {
      const rows = listIn(await look(ground, team.people[shop], 'GET /api/merchant/balances'))
      for (const row of rows) keep(`shop ${shop}`, row, textAt(row, 'currency'))
    }),
    ...(touched.pots ?? []).map(async (at) => {
      const { place, id, owner, currency } = team.pots[at] as TeamPot
      const shown = await look(ground, team.people[owner], `GET /api/${place}/:id`, `/api/${place}/${id}`)
      const said = parseExactly(shown.text)
      keep(`pot ${at}`, isObject(said) ? said.data : undefined, currency)
    }),
  ]
  await Promise.all(looks)
  return found
}

async function look({ client }: Ground, person: Person | undefined, route: string, path?: string) {
  const request = asPerson(person as Person, { act: 'read', route, ...(path === undefined ? {} : { path }) })
  const heard = await patiently(() => client.look(request))
  if (heard.status !== 200) throw new Error(`${route}: ${heard.status} ${heard.text}`)
  return heard
}

/** A machine that has too much to do says so, and nothing is decided by that. */
export async function patiently(ask: () => Promise<Heard>): Promise<Heard> {
  for (let tries = 0; ; tries++) {
    const heard = await ask()
    if ((heard.status !== 0 && heard.status !== 503) || tries >= 50) return heard
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function listIn({ text }: Heard): unknown[] {
  const said = parseExactly(text)
  return isObject(said) && Array.isArray(said.data) ? said.data : []
}

/** The same places, as the model has them. */
export function expected(model: Model, touched: Touched): Map<string, string> {
  const found = new Map<string, string>()
  for (const who of touched.people ?? [])
    for (const { currency } of markets) {
      const { balance, held } = model.purses.get(placeOf(who, currency)) ?? { balance: 0n, held: 0n }
      found.set(`wallet ${who} ${currency}`, `${balance} held ${held}`)
    }
  for (const shop of touched.shops ?? [])
    for (const { currency } of markets) {
      const till = model.tills.get(placeOf(shop, currency))
      if (till !== undefined) found.set(`shop ${shop} ${currency}`, `${till} held 0`)
    }
  for (const at of touched.pots ?? []) {
    const pot = model.pots[at]
    found.set(`pot ${at} ${pot?.currency}`, `${pot?.balance} held 0`)
  }
  return found
}

/** As it is now, by the API: the model of a new sequence. What has left lately is counted in the ledger. */
export async function readModel(ground: Ground, team: Team): Promise<Model> {
  const said = await seen(ground, team, all)
  const at = (place: string): [bigint, bigint] => {
    const [balance = '0', held = '0'] = said.get(place)?.split(' held ') ?? []
    return [BigInt(balance), BigInt(held)]
  }
  const spent = await readSpent(ground, team)
  const model: Model = {
    purses: new Map(),
    tills: new Map(),
    pots: team.pots.map(({ currency }, pot) => ({ currency, balance: at(`pot ${pot} ${currency}`)[0] })),
    payments: [],
    wanted: [],
    fees: new Map(),
    repeatable: 0,
  }
  for (const { currency } of markets) {
    for (const who of all.people) {
      const [balance, held] = at(`wallet ${who} ${currency}`)
      const purse = { balance, held, spent: spent.get(`${team.people[who]?.id} ${currency}`) ?? 0n }
      model.purses.set(placeOf(who, currency), purse)
    }
    for (const shop of all.shops) {
      if (said.has(`shop ${shop} ${currency}`))
        model.tills.set(placeOf(shop, currency), at(`shop ${shop} ${currency}`)[0])
    }
  }
  return model
}

const limited = ['transfer', 'withdrawal', 'group_contribution', 'campaign_contribution']
const dayMs = 86_400_000

async function readSpent({ db, aheadMs }: Ground, team: Team): Promise<Map<string, bigint>> {
  const since = new Date(Date.now() + aheadMs() - dayMs)
  const { rows } = await db.query<{ place: string; spent: string }>(
    `select a.owner || ' ' || a.currency as place, sum(m.amount)::text as spent
     from ledger.accounts a cross join lateral (
       select -e.amount as amount from ledger.entries e join ledger.postings p on p.id = e.posting_id
       where e.account_id = a.id and e.amount < 0 and p.kind = any ($2) and p.created_at > $3
       union all select remaining from ledger.holds where account_id = a.id and kind = any ($2)
     ) m
     where a.kind = 'user' and a.mode = 'live' and a.owner = any ($1) group by 1`,
    [team.people.map(({ id }) => id), limited, since],
  )
  return new Map(rows.map(({ place, spent }) => [place, BigInt(spent)]))
}
