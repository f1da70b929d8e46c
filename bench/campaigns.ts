// Browsing and searching many campaigns over HTTP, as people do: in all three orders, by kind and currency, some pages deep,
// and for words that are as frequent as words are.
import pg from 'pg'
import { currencyCodes } from '../server/src/base/money.ts'
import { categories, sorts } from '../server/src/campaigns/rules.ts'
import { openApi } from './api.ts'
import { type CampaignFigures, count } from './figures.ts'
import type { Bench } from './harness.ts'
import { requestBytes, runLoad } from './http-load.ts'

export async function measureCampaigns(bench: Bench, databaseUrl: string): Promise<CampaignFigures> {
  const { plan, say } = bench
  const { rows } = plan.campaigns
  const api = await openApi(
    { ...bench, plan: { ...plan, api: { ...plan.api, senders: 1 } } },
    { databaseUrl, beside: [] },
  )
  try {
    say(`Beginning ${count(rows)} campaigns…`)
    const words = vocabulary(wordsMany)
    await addCampaigns(databaseUrl, { rows, words, owners: plan.api.recipients })
    const { token = '' } = api.senders[0] ?? {}
    const cursors = await cursorsOf(api.server.url, token)
    const measured = async (name: string, path: () => string) => {
      const before = { ...(await bench.server.usage()), serviceMs: api.server.cpuMs() }
      const result = await runLoad({
        url: api.server.url,
        connections: 1,
        warmUpMs: plan.warmUpMs,
        runMs: plan.runMs,
        next: () => requestBytes({ method: 'GET', path: path(), token }),
      })
      if (Object.keys(result.failed).length > 0)
        throw new Error(`${name}: answers that were no 200: ${JSON.stringify(result.failed)}`)
      const serviceMs = (api.server.cpuMs() - before.serviceMs) / result.allRequests
      const postgresMs = ((await bench.server.usage()).cpuMs ?? 0) - (before.cpuMs ?? 0)
      say(
        `  ${name}: p50 ${result.p50Ms.toFixed(2)} ms, p99 ${result.p99Ms.toFixed(2)} ms; each uses ${serviceMs.toFixed(2)} ms of the ` +
          `service and ${(postgresMs / result.allRequests).toFixed(2)} ms of PostgreSQL`,
      )
      return { p50Ms: result.p50Ms, p99Ms: result.p99Ms }
    }
    return {
      rows,
      browse: await measured('browse', () => browsePath(cursors)),
      search: await measured('search', () => searchPath(words)),
    }
  } finally {
    await api.server.stop()
  }
}

const wordsMany = 3_000
const storyWords = 60

/** Of one to four syllables, all different. In every language the short words are the frequent ones: they come first. */
function vocabulary(many: number): string[] {
  const sounds = ['', 'b', 'ch', 'd', 'g', 'k', 'l', 'm', 'mb', 'n', 'nd', 'p', 'r', 's', 'sh', 't', 'w', 'z']
  const syllables = sounds.flatMap((sound) => ['a', 'e', 'i', 'o', 'u'].map((vowel) => sound + vowel))
  const words = new Set<string>()
  while (words.size < many) {
    const length = 1 + Math.floor(Math.random() * 4)
    words.add(Array.from({ length }, () => anyOf(syllables)).join(''))
  }
  return [...words].sort((one, other) => one.length - other.length)
}

/** The first ones are the most frequent, by far. */
const anyWord = (words: readonly string[]): string =>
  words[Math.floor(Math.random() ** 3 * words.length)] ?? ''
const anyOf = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T

interface Filling {
  rows: number
  words: readonly string[]
  /** People that are there: see `openApi`. */
  owners: number
}

/** A tenth has ended; the kinds are not equally frequent. */
async function addCampaigns(databaseUrl: string, { rows, words, owners }: Filling): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const text = (many: number) =>
      `(select string_agg(($5::text[])[1 + floor(power(random(), 3) * cardinality($5::text[]))::int], ' ')
        from generate_series(1, ${many}) where n > 0)`
    await client.query(
      `insert into campaigns.campaigns
         (id, owner_id, category, currency, goal, created_at, ends_at, ended_at, title, story)
       select 'cmp_' || lpad(n::text, 22, '0'), 'usr_' || lpad((1 + n % $2)::text, 22, '0'),
         ($3::text[])[1 + floor(power(random(), 2) * cardinality($3::text[]))::int],
         ($4::text[])[1 + floor(power(random(), 2) * cardinality($4::text[]))::int],
         1000000, now() - random() * interval '300 days',
         case when n % 3 = 0 then null else now() + (1 + random() * 60) * interval '1 day' end,
         case when n % 10 = 0 then now() end, left(${text(5)}, 80), ${text(storyWords)}
       from generate_series(1, $1::int) as n`,
      [rows, owners, categories, currencyCodes, words],
    )
    await client.query(
      'update campaigns.totals set raised = floor(random() * 1200000)::bigint, contributors = floor(random() * 500)::int',
    )
    await client.query('vacuum analyze campaigns.campaigns, campaigns.totals')
  } finally {
    await client.end()
  }
}

type Cursors = Record<(typeof sorts)[number], string[]>
const pagesDeep = 5

/** Places in the middle of each order. */
async function cursorsOf(url: string, token: string): Promise<Cursors> {
  const cursors: Cursors = { newest: [], ending: [], most_funded: [] }
  for (const sort of sorts) {
    let cursor = ''
    for (let page = 0; page < pagesDeep; page++) {
      const address = `${url}/api/campaigns/browse?limit=100&sort=${sort}${cursor}`
      const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
      const { meta } = (await answer.json()) as { meta: { next_cursor: string | null } }
      if (meta.next_cursor === null) break
      cursors[sort].push(meta.next_cursor)
      cursor = `&cursor=${meta.next_cursor}`
    }
  }
  return cursors
}

function browsePath(cursors: Cursors): string {
  const sort = anyOf(sorts)
  const query = new URLSearchParams({ sort })
  const chance = Math.random()
  if (chance < 0.25) query.set('category', anyOf(categories))
  else if (chance < 0.5) query.set('currency', anyOf(currencyCodes))
  else if (chance < 0.6) {
    query.set('category', anyOf(categories))
    query.set('currency', anyOf(currencyCodes))
  } else if (chance < 0.75 && cursors[sort].length > 0) query.set('cursor', anyOf(cursors[sort]))
  return `/api/campaigns/browse?${query}`
}

function searchPath(words: readonly string[]): string {
  const chance = Math.random()
  const first = anyWord(words)
  const q = chance < 0.4 ? first : chance < 0.7 ? `${first} ${anyWord(words)}` : first.slice(0, 4)
  const query = new URLSearchParams({ q })
  if (Math.random() < 0.3) query.set('sort', anyOf(sorts))
  if (Math.random() < 0.2) query.set('currency', anyOf(currencyCodes))
  return `/api/campaigns/browse?${query}`
}
