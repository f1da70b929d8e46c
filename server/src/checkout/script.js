// Makes the pages of the checkout quicker to use. Everything works without it. Plain JavaScript for old browsers.
const find = (selector) => document.querySelector(selector)

const counted = (element, count) => {
  const one = new Intl.PluralRules(document.documentElement.lang).select(count) === 'one'
  return element.getAttribute(one ? 'data-one' : 'data-other').replace('{n}', count)
}

const lookAgain = () => location.replace(find('a[hreflang][aria-current]').href)

// One click is one act: the button says what happens, and a second press does nothing.
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    if (form.hasAttribute('aria-busy')) return event.preventDefault()
    form.setAttribute('aria-busy', 'true')
    const button = event.submitter || form.querySelector('button')
    button.setAttribute('aria-disabled', 'true')
    if (form.dataset.busy) button.textContent = form.dataset.busy
  })
}

// Which network a number is of, while it is typed: the longest beginning that fits. A network that was chosen stays.
const phone = find('[data-code]')
const networks = [...document.querySelectorAll('[name="network"]')]
if (phone && networks.length) {
  const byHand = (event) => phone.setAttribute('data-chosen', event.target.value)
  for (const one of networks) one.addEventListener('change', byHand)
  phone.addEventListener('input', () => {
    if (phone.dataset.chosen) return
    const number = phone.value
      .replace(/[^+0-9]/g, '')
      .replace(/^00/, '+')
      .replace(/^0/, phone.dataset.code)
    let best = [networks[0], '']
    for (const one of networks) {
      for (const start of (one.dataset.starts || '').split(' ')) {
        if (start.length > best[1].length && number.startsWith(start)) best = [one, start]
      }
    }
    best[0].checked = true
  })
}

// The back button may bring back a page as it was left: it is asked for anew.
addEventListener('pageshow', (event) => event.persisted && location.reload())

// The time that is left. When it is over, the page says so by itself.
const left = find('[data-seconds]')
if (left) {
  const end = performance.now() + left.dataset.seconds * 1000
  const timer = setInterval(() => {
    const minutes = Math.floor((end - performance.now()) / 60000)
    if (minutes < 0) {
      clearInterval(timer)
      setTimeout(lookAgain, 1000)
      return
    }
    const text = minutes ? counted(left, minutes) : left.dataset.under
    if (left.textContent !== text) left.textContent = text
  }, 1000)
}

// What became of it elsewhere: asked again and again on the page that waits, and when a page is seen again.
const { state, ask, every } = document.body.dataset
let pause = 2000
// A link that has died answers nothing, and does not end either.
const patience = 15000
const askState = () => {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), patience)
  fetch(ask, { headers: { accept: 'application/json' }, signal: stop.signal })
    .then((reply) => (reply.ok ? reply.json() : {}))
    .catch(() => ({}))
    .then((told) => {
      clearTimeout(timer)
      if (told.state && told.state !== state) return lookAgain()
      if (every === undefined) return
      pause = Math.min(pause + 500, 10000)
      setTimeout(askState, pause)
    })
}
if (ask && every !== undefined) setTimeout(askState, pause)
if (ask && every === undefined) {
  document.addEventListener('visibilitychange', () => document.hidden || askState())
}

// Back to the shop, in a while, unless somebody wants to stay.
const forward = find('[data-forward]')
if (forward) {
  let seconds = 15
  const [text, stay] = forward.children
  const tick = () => {
    text.textContent = counted(forward, seconds)
    if (seconds-- > 0) return
    clearInterval(timer)
    location.assign(forward.dataset.forward)
  }
  const timer = setInterval(() => document.hidden || tick(), 1000)
  stay.addEventListener('click', () => {
    clearInterval(timer)
    forward.hidden = true
  })
  forward.hidden = false
  tick()
}

const share = find('[data-share]')
if (share && navigator.share) {
  share.hidden = false
  share.addEventListener('click', () => navigator.share({ text: share.dataset.share }).catch(() => undefined))
}
const printing = find('[data-print]')
if (printing) {
  printing.hidden = false
  printing.addEventListener('click', () => window.print())
}
