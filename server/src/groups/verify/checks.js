// Checks receipts, heads and draws of savings groups in the browser: nothing is sent anywhere. The same rules as
// scripts/verify-receipt.mjs, written anew for browsers; each is whole in itself, so that nobody has to trust the other.
const encoder = new TextEncoder()

async function sha256(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const refuse = (sentence) => {
  throw new Error(sentence)
}

const number = /^(0|-?[1-9][0-9]{0,18})$/
const hash = /^[0-9a-f]{64}$/
const zeros = '0'.repeat(64)

function must(value, form, what) {
  if (typeof value !== 'string' || !form.test(value)) refuse(`${what} is not of the right form.`)
  return value
}

function numbersOf(entry) {
  const { seq, amount, balance_after: balance, held_after: held } = entry || {}
  for (const value of [seq, amount, balance, held]) must(value, number, 'A number of an entry')
  return { seq, amount, balance, held }
}

/** One entry after another: numbers without gaps, balances that add up, and the hash of each over the one before. */
async function step(place, { entry, digest, account }) {
  const { seq, amount, balance, held } = entry
  if (BigInt(seq) !== place.seq + 1n) refuse(`Entry ${seq} does not follow entry ${place.seq}.`)
  if (place.balance + BigInt(amount) !== BigInt(balance))
    refuse(`The balance after entry ${seq} is not the one before and its amount.`)
  if (BigInt(held) < 0n || BigInt(held) > BigInt(balance))
    refuse(`The balance after entry ${seq} is less than what is held.`)
  const line = [place.hash, digest, account, seq, amount, balance, held].join(' ')
  return { seq: BigInt(seq), balance: BigInt(balance), hash: await sha256(line) }
}

function meets(head, { account, places, what }) {
  if (head?.format !== 'mfuko-head-1') refuse(`${what} is not a head.`)
  if (head.account !== account) refuse(`${what} is of another account.`)
  const seq = BigInt(must(head.seq, number, 'The number of the head'))
  const last = places[places.length - 1]
  if (seq > last.seq)
    refuse(`${what} is of entry ${seq}, and the receipt ends before it. Ask for one with ?to=${seq}.`)
  const place = places.find((one) => one.seq === seq)
  if (!place) refuse(`${what} is of entry ${seq}, before the entry of the receipt.`)
  if (
    place.hash !== head.hash ||
    place.balance !== BigInt(must(head.balance, number, 'The balance of the head'))
  )
    refuse(`${what} does not fit: the entry or something after it was altered.`)
}

export async function verifyReceipt(receipt, kept) {
  if (receipt?.format !== 'mfuko-receipt-1') refuse('This is not a receipt.')
  const { entry, later, head } = receipt
  const account = must(head?.account, number, 'The account')
  const numbers = numbersOf(entry)
  const { id, time_ms: time, kind, details } = entry.posting || {}
  must(id, number, 'The posting')
  must(time, number, 'The time')
  must(kind, /^[a-z_]{1,32}$/, 'The kind')
  if (typeof details !== 'string' || !Array.isArray(later)) refuse('The receipt is not of the right form.')
  const before = {
    seq: BigInt(numbers.seq) - 1n,
    balance: BigInt(must(entry.balance_before, number, 'The balance before')),
    hash: must(entry.before, hash, 'The hash before'),
  }
  const isFirst = before.seq === 0n
  if (isFirst !== (before.hash === zeros) || (isFirst && before.balance !== 0n))
    refuse('Only the first entry has nothing before it.')
  const places = [
    await step(before, { entry: numbers, digest: await sha256(`${id} ${time} ${kind} ${details}`), account }),
  ]
  for (const link of later) {
    const digest = must(link?.digest, hash, 'A digest')
    places.push(await step(places[places.length - 1], { entry: numbersOf(link), digest, account }))
  }
  meets(head, { account, places, what: 'The head in the receipt' })
  if (BigInt(head.seq) !== places[places.length - 1].seq)
    refuse('The head in the receipt is not its last entry.')
  if (kept !== undefined) meets(kept, { account, places, what: 'The head that you have' })
  return {
    group: head.group,
    currency: head.currency,
    entry: numbers,
    kind,
    time: Number(time),
    details,
    head,
  }
}

export async function verifyDraw(round) {
  const { draw, seats } = round || {}
  if (!draw || !Array.isArray(seats)) refuse('This is not a round that was drawn.')
  if (draw.seed === null) refuse('The seed is shown when the round has started.')
  if ((await sha256(must(draw.seed, hash, 'The seed'))) !== draw.commitment)
    refuse('The seed is not the one that was announced.')
  const handles = seats.map((seat) => must(seat?.member?.handle, /^[a-z][a-z0-9_]{2,19}$/, 'A handle'))
  const words = new Map((draw.words || []).map(({ handle, word }) => [handle, word]))
  const lines = [...handles].sort().map((handle) => `\n${handle} ${words.get(handle) ?? ''}`)
  const key = await sha256(draw.seed + lines.join(''))
  const tickets = await Promise.all(
    handles.map(async (handle) => ({ handle, ticket: await sha256(`${key} ${handle}`) })),
  )
  tickets.sort((one, other) => (one.ticket < other.ticket ? -1 : 1))
  const order = tickets.map(({ handle }) => handle)
  if (order.join() !== handles.join()) refuse('This is another order than the one that was drawn.')
  return { order }
}
