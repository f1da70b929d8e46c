// Follows what changes on a page, and makes the phone's keypad work. Without it every page still does its work.
const { live } = document.body.dataset

const regionOf = (id) => document.getElementById(id)

/** What is shown already stays as it is: a half typed PIN for example. */
function replace(id, { version, html }) {
  const region = regionOf(id)
  if (!region || region.dataset.version === version) return
  const held = region.contains(document.activeElement)
  region.dataset.version = version
  region.innerHTML = html
  region.classList.toggle('arrived', true)
  prepare(region)
  if (id === 'prompt') takeUp(region, held)
}

/** A phone that rings is looked at, unless the person is busy with something else on the page. */
function takeUp(region, held) {
  const first = region.querySelector('#pin') ?? region.querySelector('.dialog-send')
  const idle = held || document.activeElement === document.body || document.activeElement === null
  const inPhone = document.activeElement?.closest('.device')
  if (first && (idle || inPhone)) first.focus({ preventScroll: true })
  else if (!first && held) regionOf('messages')?.focus({ preventScroll: true })
  document.title = first ? `● ${title}` : title
}

const title = document.title

function prepare(root) {
  for (const keypad of root.querySelectorAll('.keypad')) {
    keypad.hidden = false
    // The keypad is on the screen already: another one would only cover it.
    root.querySelector('#pin')?.setAttribute('inputmode', 'none')
  }
}

document.addEventListener('click', (event) => {
  const key = event.target.closest?.('[data-key]')?.dataset.key
  const pin = document.getElementById('pin')
  if (!key || !pin) return
  pin.value = key === 'erase' ? pin.value.slice(0, -1) : `${pin.value}${key}`.slice(0, pin.maxLength)
})

/** The answer leaves without leaving the page; what follows comes by the connection. */
document.addEventListener('submit', (event) => {
  const form = event.target
  const dialog = document.querySelector('.dialog')
  if (!dialog || !form.action.includes('/prompts/')) return
  event.preventDefault()
  if (dialog.dataset.busy) return
  dialog.dataset.busy = 'true'
  const fields = new URLSearchParams(new FormData(form, event.submitter))
  if (!fields.has('answer')) fields.set('answer', 'approve')
  fetch(form.action, { method: 'POST', body: fields })
    .then(() => linked || location.reload())
    .catch(() => {
      delete dialog.dataset.busy
    })
})

let linked = false
if (live) {
  const source = new EventSource(live)
  source.onopen = () => {
    linked = true
    document.body.dataset.link = 'on'
  }
  source.onerror = () => {
    linked = false
    document.body.dataset.link = 'off'
    // A server that answered with an error is not asked again by the browser itself.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3_000)
  }
  source.onmessage = ({ data }) => {
    for (const [id, region] of Object.entries(JSON.parse(data))) replace(id, region)
  }
  addEventListener('pagehide', () => source.close())
  addEventListener('pageshow', (event) => event.persisted && location.reload())
}

prepare(document)
document.getElementById('pin')?.focus({ preventScroll: true })

const times = document.querySelectorAll('[data-clock]')
if (times.length > 0) {
  const tick = () => {
    const now = new Date()
    for (const time of times)
      time.textContent = now.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    const day = { weekday: 'long', day: 'numeric', month: 'long' }
    document.querySelector('[data-day]').textContent = now.toLocaleDateString('en-GB', day)
  }
  tick()
  setInterval(tick, 5_000)
}
