// What the networks were asked to do, what became of it, and every callback that left or did not.
import type { Assets } from './assets.ts'
import { html, type Markup, nothing } from './html.ts'
import { framed, icon, type Region, regionBox, stateBadge } from './layout.ts'
import type { Network, ShownCallback, ShownOperation } from './network.ts'
import { spaced } from './numbers.ts'
import { clockExact, kindName, kindWords, money, providerNames } from './words.ts'

const shownMax = 60

export function activityPage({ assets, network }: { assets: Assets; network: Network }): string {
  const [list] = activityRegions(network)
  const content = html`<div class="page">
<h1>Activity</h1>
<p class="lead">The last things that the networks were asked to do. This page follows by itself.</p>
${regionBox(list)}
</div>`
  return framed(assets, {
    title: 'Activity',
    here: 'activity',
    content,
    live: '/live/activity',
    reloadSeconds: 5,
  })
}

export function activityRegions(network: Network): [Region] {
  const operations = network.operations({ limit: shownMax })
  return [
    {
      id: 'activity',
      content:
        operations.length === 0
          ? html`<div class="card"><p class="empty">Nothing yet. Pay in the example shop with a phone number, or deposit to a wallet: each step appears here.</p></div>`
          : html`<div class="card table-card"><table class="wide-table activity">
<caption class="hidden-text">Operations, the newest first</caption>
<thead><tr><th scope="col">Time</th><th scope="col">What</th><th scope="col" class="right">Amount</th><th scope="col">State</th><th scope="col">Callbacks</th></tr></thead>
<tbody>${operations.map(row)}</tbody>
</table></div>`,
    },
  ]
}

function row(operation: ShownOperation): Markup {
  const { id, provider, amount, currency, state, startedAt, callbacks } = operation
  return html`<tr>
<td data-label="Time">${clockExact(startedAt)}</td>
<th scope="row"><a class="touch" href="/activity/${encodeURIComponent(id)}">${kindWords(operation)} ${operation.msisdn === undefined ? nothing : html`<span class="number">${spaced(operation.msisdn)}</span>`}</a><span class="soft">${providerNames[provider]} · ${operation.reference}</span></th>
<td class="right" data-label="Amount">${money(amount, currency)}</td>
<td data-label="State">${stateBadge(state)}</td>
<td data-label="Callbacks">${callbacks.length === 0 ? html`<span class="soft">None</span>` : html`<span class="chips">${callbacks.map(chip)}</span>`}</td>
</tr>`
}

export function operationPage({ assets, operation }: { assets: Assets; operation: ShownOperation }): string {
  const [region] = operationRegions(operation)
  const content = html`<div class="page narrow">
<p class="crumb"><a class="back" href="/activity">${icon('back')}Activity</a></p>
${regionBox(region)}
</div>`
  return framed(assets, {
    title: operation.reference,
    here: 'activity',
    content,
    live: `/live/activity/${encodeURIComponent(operation.id)}`,
    reloadSeconds: 5,
  })
}

export function operationRegions(operation: ShownOperation): [Region] {
  const { provider, msisdn, amount, currency, state, reason, receipt, reference } = operation
  const facts: [string, Markup][] = [
    ['Network', html`${providerNames[provider]}`],
    ['Caller’s reference', html`<code>${reference}</code>`],
    ['Asked', clockExact(operation.startedAt)],
  ]
  if (msisdn !== undefined)
    facts.unshift(['Phone', html`<a class="number" href="/phones/${msisdn}">${spaced(msisdn)}</a>`])
  if (operation.endedAt !== undefined) facts.push(['Decided', clockExact(operation.endedAt)])
  if (receipt !== undefined) facts.push(['Receipt', html`<code>${receipt}</code>`])
  if (reason !== undefined) facts.push(['Reason', html`${reason}`])
  const content = html`<div class="stack"><h1 class="operation-title"><span class="soft">${kindName(operation)}</span> ${money(amount, currency)}</h1>
<p>${stateBadge(state)}</p>
<section class="card" aria-label="Facts"><dl class="facts facts-row">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>
<section class="card" aria-labelledby="callbacks-title"><h2 id="callbacks-title">Callbacks</h2>${callbackList(operation.callbacks)}</section></div>`
  return [{ id: 'operation', content }]
}

function callbackList(callbacks: readonly ShownCallback[]): Markup {
  if (callbacks.length === 0)
    return html`<p class="empty">None has left. While the person decides, there is nothing to tell.</p>`
  return html`<ol class="callbacks">${callbacks.map(
    (callback) =>
      html`<li><span class="callback-head">${clockExact(callback.at)} ${chip(callback)}</span><code>${callback.url}</code></li>`,
  )}</ol>`
}

function chip({ fate, status }: ShownCallback): Markup {
  const good = status !== undefined && status >= 200 && status < 300
  const words: Record<ShownCallback['fate'], string> = {
    sent: 'sent',
    lost: 'lost on purpose',
    late: 'late',
    doubled: 'again',
    forged: 'forged',
  }
  const answer = fate === 'lost' ? '' : ` → ${status ?? 'no answer'}`
  return html`<span class="chip${fate === 'lost' ? '' : good ? ' chip-good' : ' chip-bad'}">${words[fate]}${answer}</span>`
}
