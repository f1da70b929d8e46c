// The page at /verify: reads what was pasted or chosen, checks it here in the browser, and says what was found.
import { verifyDraw, verifyReceipt } from './verify-checks.js'

const find = (id) => document.getElementById(id)
const form = find('check')
const found = find('found')
const words = found.dataset

/** An answer of the API holds it under `data`. */
const dataOf = (text) => {
  const json = JSON.parse(text)
  return json && typeof json === 'object' && 'success' in json && 'data' in json ? json.data : json
}

for (const name of ['paper', 'head'])
  find(`${name}-file`).addEventListener('change', async (event) => {
    const [file] = event.target.files
    if (file) find(name).value = await file.text()
  })

// The app hands over what is to be checked behind the #, which a browser sends to nobody.
const handed = new URLSearchParams(location.hash.slice(1))
for (const name of ['paper', 'head']) if (handed.has(name)) find(name).value = handed.get(name)

const line = (tag, text) => {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}

const fact = (name, value) => {
  const row = document.createElement('div')
  row.append(line('dt', name), line('dd', value))
  return row
}

function show(kind, title, text, facts = []) {
  found.className = kind
  found.replaceChildren(line('h2', title), line('p', text))
  if (facts.length) {
    const list = document.createElement('dl')
    list.append(...facts.map(([name, value]) => fact(name, value)))
    found.append(list)
  }
  found.hidden = false
  found.focus()
}

const places = { UGX: 0, RWF: 0 }

/** The minor units as people write them here. Intl takes decimal text and keeps all of its digits. */
function amountText(minor, currency) {
  const digits = places[currency] ?? 2
  const sign = minor.startsWith('-') ? '-' : ''
  const text = minor.replace('-', '').padStart(digits + 1, '0')
  const decimal = `${sign}${text.slice(0, text.length - digits)}.${text.slice(text.length - digits) || '0'}`
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${currency} ${new Intl.NumberFormat(document.documentElement.lang, fraction).format(decimal)}`
}

async function check() {
  const paper = dataOf(find('paper').value)
  const head = find('head').value.trim() === '' ? undefined : dataOf(find('head').value)
  const round = paper?.round ?? paper
  if (round?.draw !== undefined) {
    const { order } = await verifyDraw(round)
    return show(
      'good',
      words.draw,
      words.drawText,
      order.map((handle, at) => [String(at + 1), `@${handle}`]),
    )
  }
  const proved = await verifyReceipt(paper, head)
  const when = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'long',
    timeStyle: 'medium',
  })
  show('good', words.good, head === undefined ? words.alone : words.withHead, [
    [words.entry, `${proved.entry.seq} · ${proved.kind}`],
    [words.amount, amountText(proved.entry.amount, proved.currency)],
    [words.balance, amountText(proved.entry.balance, proved.currency)],
    [words.time, when.format(proved.time)],
    [words.details, proved.details],
    [words.headName, `${proved.head.seq} · ${proved.head.hash}`],
  ])
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (!crypto.subtle) return show('bad', words.bad, words.insecure)
  try {
    await check()
  } catch (error) {
    show('bad', words.bad, error instanceof SyntaxError ? words.unreadable : error.message)
  }
})

find('needs').hidden = true
form.hidden = false
