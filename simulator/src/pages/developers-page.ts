// For who connects a program: the addresses, the credentials that are accepted, and the knobs that make trouble.
import { type KnobChanges, type Knobs, type Outage, providerIds } from '../knobs.ts'
import type { Assets } from './assets.ts'
import { html, type Markup, nothing } from './html.ts'
import { framed } from './layout.ts'
import type { ProviderId } from './network.ts'
import { money, providerNames } from './words.ts'

export interface Balance {
  provider: ProviderId
  currency: string
  amount: string
}

export interface DevelopersPage {
  assets: Assets
  /** Where this simulator is, as the browser sees it. */
  url: string
  knobs: Knobs
  balances: readonly Balance[]
  saved: boolean
}

const shares = [
  { name: 'lost', title: 'Lost', what: 'never leave' },
  { name: 'doubled', title: 'Doubled', what: 'come twice' },
  { name: 'late', title: 'Late', what: 'come half a minute later' },
  { name: 'reordered', title: 'Overtaken', what: 'wait until another one has passed' },
  { name: 'forged', title: 'Forged before', what: 'follow one that somebody else has made up' },
  { name: 'unanswered', title: 'Requests cut', what: 'are worked on, and get no answer' },
  { name: 'failed_refunds', title: 'Refunds that fail', what: 'of all refunds' },
] as const

const counts = [
  { name: 'answer_delay_ms', title: 'Slow answers', unit: 'milliseconds before each answer' },
  {
    name: 'token_seconds',
    title: 'Short tokens',
    unit: 'seconds that a token lives; 0: as the provider has it',
  },
] as const

const outages: Record<Outage, string> = {
  none: 'Works',
  cut: 'Connections are cut',
  unavailable: 'Answers 503',
}

export function developersPage(page: DevelopersPage): string {
  const { assets, url, knobs, balances, saved } = page
  const content = html`<div class="page">
<h1>For developers</h1>
<p class="lead">The networks speak the providers’ own protocols. Point a program that knows them here instead of there.</p>
<div class="columns">
<div class="stack">${connections(url)}</div>
<div class="stack">${knobForm(knobs, saved)}${books(balances)}</div>
</div>
</div>`
  return framed(assets, { title: 'For developers', here: 'developers', content })
}

function connections(url: string): Markup {
  return html`<section class="card" aria-labelledby="connect-title"><h2 id="connect-title">Addresses and credentials</h2>
${credentials.map(
  ({ provider, path, rows }) => html`<h3>${providerNames[provider]}</h3>
<dl class="facts facts-row"><div><dt>Base address</dt><dd><code>${url}${path}</code></dd></div>${rows.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`,
  )}</dl>`,
)}</section>`
}

/** The same for everybody: nothing here is worth protecting. */
const credentials: readonly { provider: ProviderId; path: string; rows: readonly [string, string][] }[] = [
  {
    provider: 'mpesa',
    path: '/daraja',
    rows: [
      ['Consumer key', 'simulator-key'],
      ['Consumer secret', 'simulator-secret'],
      ['Shortcode', '174379'],
      ['Passkey', 'simulator-passkey'],
      ['B2C shortcode', '600000'],
      ['Initiator', 'simulator'],
      ['Initiator password', 'simulator-password'],
      ['Certificate', '/daraja/certificate.pem'],
    ],
  },
  {
    provider: 'mtn',
    path: '/mtn',
    rows: [
      ['Collection key', 'simulator-collection'],
      ['Disbursement key', 'simulator-disbursement'],
      ['API user', '6f1c2a3e-5b7d-4c8e-9f10-112233445566'],
      ['API key', 'simulator-api-key-0123456789abcdef'],
    ],
  },
  {
    provider: 'airtel',
    path: '/airtel',
    rows: [
      ['Client id', 'simulator'],
      ['Client secret', 'simulator-secret'],
      ['Disbursement PIN', '1234'],
      ['Callback hash key', 'simulator-hash-key'],
    ],
  },
  { provider: 'paystack', path: '/paystack', rows: [['Secret key', 'sk_test_simulator']] },
]

function knobForm(knobs: Knobs, saved: boolean): Markup {
  return html`<section class="card" aria-labelledby="knobs-title"><h2 id="knobs-title">Knobs</h2>
<p class="soft">How badly the networks behave. At zero they behave well.</p>
${saved ? html`<p class="notice" role="status">Saved. It counts from the next request on.</p>` : nothing}
<form method="post" action="/developers/knobs" class="knobs">
<fieldset><legend>Callbacks and requests, in percent</legend>${shares.map(
    ({ name, title, what }) =>
      html`<div class="knob"><label for="${name}">${title} <span class="soft">${what}</span></label><span class="unit"><input id="${name}" name="${name}" type="number" min="0" max="100" step="any" value="${percent(knobs[name])}" required><span aria-hidden="true">%</span></span></div>`,
  )}</fieldset>
<fieldset><legend>Time</legend>${counts.map(
    ({ name, title, unit }) =>
      html`<div class="knob"><label for="${name}">${title} <span class="soft">${unit}</span></label><input id="${name}" name="${name}" type="number" min="0" max="3600000" step="1" value="${knobs[name]}" required></div>`,
  )}</fieldset>
<fieldset><legend>Outages</legend>${providerIds.map(
    (id) =>
      html`<div class="knob"><label for="outage-${id}">${providerNames[id]}</label><select id="outage-${id}" name="outage-${id}">${Object.entries(
        outages,
      ).map(
        ([value, words]) =>
          html`<option value="${value}"${knobs.outages[id] === value ? html` selected` : nothing}>${words}</option>`,
      )}</select></div>`,
  )}</fieldset>
<div class="row"><button class="button main">Save</button><button class="button" name="preset" value="calm" formnovalidate>All well</button><button class="button" name="preset" value="storm" formnovalidate>A storm</button></div>
</form></section>`
}

const percent = (share: number): string => String(Math.round(share * 10_000) / 100)

const storm: KnobChanges = { lost: 1 / 3, doubled: 0.1, late: 0.1, reordered: 0.1 }

/** From what the form sent; undefined: something in it is no number in its bounds. */
export function readKnobForm(form: URLSearchParams, calm: Knobs): KnobChanges | undefined {
  const preset = form.get('preset')
  if (preset === 'calm') return calm
  if (preset === 'storm') return { ...calm, ...storm }
  const changes: KnobChanges = { outages: {} }
  for (const { name } of shares) {
    const value = Number(form.get(name) ?? Number.NaN)
    if (!(value >= 0 && value <= 100)) return undefined
    changes[name] = value / 100
  }
  for (const { name } of counts) {
    const value = form.get(name) ?? ''
    if (!/^[0-9]{1,7}$/.test(value) || Number(value) > 3_600_000) return undefined
    changes[name] = Number(value)
  }
  for (const id of providerIds) {
    const value = form.get(`outage-${id}`)
    if (value !== 'none' && value !== 'cut' && value !== 'unavailable') return undefined
    changes.outages = { ...changes.outages, [id]: value }
  }
  return changes
}

function books(balances: readonly Balance[]): Markup {
  return html`<section class="card" aria-labelledby="books-title"><h2 id="books-title">The networks’ own books</h2>
<p class="soft">What the caller has with each network, counted by the network: what came in, less what went out.</p>
${
  balances.length === 0
    ? html`<p class="empty">Nothing has moved yet.</p>`
    : html`<dl class="facts facts-row">${balances.map(
        ({ provider, currency, amount }) =>
          html`<div><dt>${providerNames[provider]}</dt><dd>${money(amount, currency)}</dd></div>`,
      )}</dl>`
}
<p>Every movement, as JSON: ${providerIds.map((id, at) => html`${at === 0 ? '' : ', '}<a href="/simulator/statements/${id}">${providerNames[id]}</a>`)}</p></section>`
}
