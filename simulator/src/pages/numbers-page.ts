// What the last three digits of a number stand for, with a number of each network to copy.
import type { Assets } from './assets.ts'
import { html, type Markup, nothing } from './html.ts'
import { framed } from './layout.ts'
import { type Carrier, carriers, exampleNumber, spaced } from './numbers.ts'
import { anyOther, type Outcome, outcomes } from './words.ts'

/** `mtn-uganda` */
const nameOf = ({ name, country }: Carrier): string => `${name}-${country}`.toLowerCase()

export function numbersPage({ assets, network }: { assets: Assets; network: string | null }): string {
  const [first] = carriers
  const carrier = carriers.find((one) => nameOf(one) === network) ?? first
  if (carrier === undefined) throw new Error('there is a network')
  const content = html`<div class="page">
<h1>Numbers and what they do</h1>
<p class="lead">When nobody has a phone open, the last three digits of its number decide what happens: for money that is collected and for money that is paid out. Open the phone, and you decide.</p>
<nav class="pills" aria-label="Networks"><ul>${carriers.map(
    (one) =>
      html`<li><a class="pill" href="/numbers?network=${nameOf(one)}"${one === carrier ? html` aria-current="true"` : nothing}>${one.money} <span>${one.country}</span></a></li>`,
  )}</ul></nav>
<div class="card table-card"><table class="wide-table numbers">
<caption class="hidden-text">Outcomes of ${carrier.money}, ${carrier.country}</caption>
<thead><tr><th scope="col">Ends in</th><th scope="col">What happens</th><th scope="col">Result</th><th scope="col">Try it</th></tr></thead>
<tbody>${[anyOther, ...outcomes].map((outcome) => row(carrier, outcome))}</tbody>
</table></div>
</div>`
  return framed(assets, { title: 'Numbers', here: 'numbers', content })
}

function row(carrier: Carrier, outcome: Outcome): Markup {
  const msisdn = exampleNumber(carrier, outcome === anyOther ? '001' : outcome.digits)
  return html`<tr>
<th scope="row"><span class="digits digits-${outcome.kind}">${outcome.digits}</span></th>
<td><strong>${outcome.title}</strong><span class="soft">${outcome.what}</span></td>
<td data-label="Result">${/^[a-z_]+_[a-z_]+$/.test(outcome.code) ? html`<code>${outcome.code}</code>` : html`${outcome.code}`}</td>
<td data-label="Try it"><a class="number touch" href="/phones/${msisdn}">${spaced(msisdn)}</a></td>
</tr>`
}
