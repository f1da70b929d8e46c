// One virtual phone: its screen, and beside it what the number stands for and what was asked of it.
import type { Phones, Prompt, Sms } from '../phones.ts'
import type { Assets } from './assets.ts'
import { html, type Markup, nothing } from './html.ts'
import { framed, icon, operationLine, type Region, regionBox } from './layout.ts'
import type { Network } from './network.ts'
import { carrierOf, spaced } from './numbers.ts'
import { anyOther, clock, clockExact, dayOf, outcomeOf, plainAmount } from './words.ts'

interface Shown {
  phones: Phones
  network: Network
  msisdn: string
  now: number
}

export interface PhonePage extends Shown {
  assets: Assets
  /** What was wrong with the PIN that was just sent, if something was. */
  problem?: string | undefined
}

const operationsMax = 8
const reloadSeconds = 4

export function phonePage(page: PhonePage): string {
  const { assets, msisdn, now } = page
  const [prompt, messages, history] = phoneRegions(page)
  const carrier = carrierOf(msisdn)
  const waits = page.phones.prompts(msisdn).length > 0
  const content = html`<div class="desk">
<section class="stand" aria-label="The phone">
<div class="device"><div class="screen">
<div class="bar" aria-hidden="true"><span>${carrier?.name ?? 'Mobile'}</span><span class="bar-time" data-clock>${clock(now)}</span><span class="bar-icons">${icon('signal')}<span class="bar-lost">No service</span>${icon('battery')}</span></div>
<p class="clock" aria-hidden="true"><span class="clock-time" data-clock>${clock(now)}</span><span class="clock-day" data-day>${dayOf(now)}</span></p>
${regionBox(messages, html`class="messages" role="log" aria-label="Messages" tabindex="0"`)}
${regionBox(prompt, html`class="prompt" aria-live="assertive"`)}
<span class="home-bar" aria-hidden="true"></span>
</div></div>
</section>
<div class="beside">
<p class="crumb"><a class="back" href="/">${icon('back')}All phones</a></p>
<h1>${spaced(msisdn)}</h1>
<p class="soft under-title">${carrier === undefined ? 'A number of no network that is simulated here' : `${carrier.money}, ${carrier.country}`}</p>
${page.problem === undefined ? nothing : html`<p class="problem" role="alert">${page.problem}</p>`}
${rules(msisdn)}
<section class="card" aria-labelledby="history-title"><h2 id="history-title">What was asked of this number</h2>
${regionBox(history)}</section>
</div>
</div>`
  return framed(assets, {
    title: spaced(msisdn),
    here: 'phones',
    content,
    live: `/live/phones/${msisdn}`,
    // Somebody who types a PIN is not interrupted.
    ...(waits ? {} : { reloadSeconds }),
  })
}

export function phoneRegions({ phones, network, msisdn }: Shown): [Region, Region, Region] {
  const open = phones.prompts(msisdn)
  const operations = network.operations({ msisdn, limit: operationsMax })
  return [
    { id: 'prompt', content: promptBox(open) },
    { id: 'messages', content: messageList(phones.messages(msisdn)) },
    {
      id: 'history',
      content:
        operations.length === 0
          ? html`<p class="empty">Nothing yet. Pay somewhere with this number, or send money to it: it appears here.</p>`
          : html`<ul class="operations">${operations.map(operationLine)}</ul>`,
    },
  ]
}

/** As the SIM card shows it: a text, a line for the PIN, two keys. The oldest comes first, as on a phone. */
function promptBox([prompt, ...others]: readonly Prompt[]): Markup {
  if (prompt === undefined) return nothing
  const action = `/phones/${prompt.msisdn}/prompts/${prompt.id}`
  return html`<div class="dialog" role="dialog" aria-labelledby="dialog-text">
<div class="dialog-card">
<p class="dialog-from">${carrierOf(prompt.msisdn)?.money ?? 'Mobile money'}</p>
<p class="dialog-text" id="dialog-text">${withAmount(prompt)}</p>
<form method="post" action="${action}" id="approve">
${prompt.needsPin ? pinField : nothing}
</form>
<form method="post" action="${action}" id="refuse"></form>
<div class="dialog-keys">
<button class="dialog-key" form="refuse" name="answer" value="refuse">Cancel</button>
<button class="dialog-key dialog-send" form="approve" name="answer" value="approve">${prompt.needsPin ? 'Send' : 'Accept'}</button>
</div>
<p class="dialog-fine">Goes away at ${clockExact(prompt.closesAt)}${others.length === 0 ? nothing : html` · ${others.length} more behind it`}</p>
</div>
${prompt.needsPin ? keypad : nothing}
</div>`
}

/** The amount is what a person looks for first. */
function withAmount({ text, amount, currency }: Prompt): Markup {
  const [before = '', ...after] = text.split(`${currency} ${plainAmount(amount)}`)
  if (after.length === 0) return html`${text}`
  const rest = after.join(`${currency} ${plainAmount(amount)}`)
  return html`${before}<strong>${currency} ${plainAmount(amount)}</strong>${rest}`
}

const pinField = html`<label class="dialog-label" for="pin">PIN</label>
<input id="pin" name="pin" type="password" inputmode="numeric" pattern="[0-9]{4,6}" minlength="4" maxlength="6" title="Four to six digits" autocomplete="off" required>`

const keypad = html`<div class="keypad" role="group" aria-label="Keypad" hidden>${['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => html`<button type="button" data-key="${digit}">${digit}</button>`)}<span></span><button type="button" data-key="0">0</button><button type="button" data-key="erase" aria-label="Erase the last digit">${icon('erase')}</button></div>`

function messageList(messages: readonly Sms[]): Markup {
  if (messages.length === 0)
    return html`<p class="no-messages">${icon('message')}<span>No messages yet</span></p>`
  return html`<ol>${messages.map(
    ({ from, text, at }) =>
      html`<li class="sms"><p class="sms-head"><strong>${from}</strong> ${clock(at)}</p><p>${text}</p></li>`,
  )}</ol>`
}

function rules(msisdn: string): Markup {
  const outcome = outcomeOf(msisdn)
  const alone =
    outcome === anyOther
      ? html`Its last digits <code>${msisdn.slice(-3)}</code> stand for nothing special: it pays after a second.`
      : html`Its last digits <code>${outcome.digits}</code> decide. ${outcome.what}`
  return html`<section class="card" aria-label="How this phone answers">
<dl class="facts">
<div><dt>While this page is open</dt><dd>The phone is in your hand: what it is asked waits for you.</dd></div>
<div><dt>When nobody looks</dt><dd>${alone} <a href="/numbers">All endings</a></dd></div>
<div><dt>PIN</dt><dd>Any four to six digits are right. <code>0000</code> is a wrong PIN, <code>1111</code> finds too little money.</dd></div>
</dl>
</section>`
}
