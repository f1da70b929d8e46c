// Where a person picks up a phone: those that ring, those they had before, some to try, or any number.
import type { Phones } from '../phones.ts'
import type { Assets } from './assets.ts'
import { html, type Markup, nothing } from './html.ts'
import { framed, icon, type Region, regionBox } from './layout.ts'
import { type Carrier, carrierOf, carriers, exampleNumber, spaced } from './numbers.ts'
import { money, outcomeOf } from './words.ts'

export interface HomePage {
  assets: Assets
  phones: Phones
  /** A number that was typed and is none. */
  typed?: string | undefined
}

const recentMax = 8

export function homePage({ assets, phones, typed }: HomePage): string {
  const [ringing, recent] = homeRegions(phones)
  const content = html`<div class="page">
<h1>Pick up a phone</h1>
<p class="lead">A mobile-money network in a box. When somebody asks a number for money, its phone shows the request: you type a PIN or refuse, and read the message that follows.</p>
${regionBox(ringing, html`aria-live="polite"`)}
<div class="columns">
<section class="card" aria-labelledby="number-title"><h2 id="number-title">Any number</h2>
<form class="number-form" method="get" action="/phones">
<label for="number">Phone number, with the country code</label>
<div class="row"><input id="number" name="number" type="tel" inputmode="tel" autocomplete="off" placeholder="+256 770 000 001" required${typed === undefined ? nothing : html` value="${typed}" aria-invalid="true" aria-describedby="number-problem"`}>
<button class="button main">Pick up</button></div>
${typed === undefined ? nothing : html`<p class="problem" id="number-problem" role="alert">That is no phone number. Write it with the country code, like +256 770 000 001.</p>`}
</form>
<h3>Or one of these</h3>
<ul class="picks">${carriers.map(pick)}</ul>
</section>
<div class="stack">
<section class="card" aria-labelledby="recent-title"><h2 id="recent-title">Phones in use</h2>${regionBox(recent)}</section>
<section class="card" aria-labelledby="alone-title"><h2 id="alone-title">When nobody looks</h2>
<p>Then the last three digits of a number decide: <code>049</code> has too little money, <code>039</code> refuses, <code>999</code> waits for you, most others pay after a second.</p>
<p><a class="more" href="/numbers">All numbers and what they do</a></p></section>
</div>
</div>
</div>`
  return framed(assets, { title: 'Phones', here: 'phones', content, live: '/live/home', reloadSeconds: 5 })
}

export function homeRegions(phones: Phones): [Region, Region] {
  const open = phones.prompts()
  const numbers = phones.recent(recentMax)
  return [
    {
      id: 'ringing',
      content:
        open.length === 0
          ? nothing
          : html`<section class="ringing" aria-label="Phones that wait for an answer"><h2>Waiting for somebody</h2><ul class="picks">${open.map(
              ({ msisdn, amount, currency }) =>
                html`<li>${phoneLink(msisdn, { note: html`is asked for ${money(amount, currency)}`, waits: true })}</li>`,
            )}</ul></section>`,
    },
    {
      id: 'recent',
      content:
        numbers.length === 0
          ? html`<p class="empty">None yet. A phone appears here when somebody asks it for money, or when you pick it up.</p>`
          : html`<ul class="picks">${numbers.map(
              (msisdn) => html`<li>${phoneLink(msisdn, { note: describe(phones, msisdn) })}</li>`,
            )}</ul>`,
    },
  ]
}

function describe(phones: Phones, msisdn: string): Markup {
  const [latest] = phones.messages(msisdn)
  const first = carrierOf(msisdn)?.money ?? outcomeOf(msisdn).title
  if (latest === undefined) return html`${first}`
  return html`${first} · ${latest.text.length > 64 ? `${latest.text.slice(0, 60).trimEnd()}…` : latest.text}`
}

function pick(carrier: Carrier): Markup {
  const msisdn = exampleNumber(carrier, '001')
  return html`<li>${phoneLink(msisdn, { note: html`${carrier.money}, ${carrier.country}` })}</li>`
}

function phoneLink(msisdn: string, { note, waits = false }: { note: Markup; waits?: boolean }): Markup {
  return html`<a class="pick${waits ? ' pick-waits' : ''}" href="/phones/${msisdn}"><span class="pick-icon">${icon('phone')}</span><span class="pick-what"><span class="number">${spaced(msisdn)}</span><span class="soft">${note}</span></span></a>`
}
