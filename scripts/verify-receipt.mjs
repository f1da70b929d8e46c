// `npm run verify-receipt -- receipt.json [--head head.json]`, `npm run verify-draw -- round.json`: checks what a savings
// group shows, with nothing but the files and SHA-256. It needs no service, no database and no other file of this
// project: copy it wherever you like. What is hashed is described in docs/guides/savings-groups.md.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'

const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex')

const digits = /^(0|-?[1-9][0-9]{0,18})$/
const hex = /^[0-9a-f]{64}$/
const nothingBefore = '0'.repeat(64)

/** What is wrong, as a sentence; throws that. */
const wrong = (sentence) => {
  throw new Error(sentence)
}

const text = (value, form, what) =>
  typeof value === 'string' && form.test(value) ? value : wrong(`${what} is not of the right form.`)

/** The data of an answer of the API, or the thing itself. */
export const dataOf = (json) =>
  typeof json === 'object' && json !== null && 'data' in json && 'success' in json ? json.data : json

const sumsOf = (entry, what) => ({
  seq: text(entry?.seq, digits, `The number of ${what}`),
  amount: text(entry?.amount, digits, `The amount of ${what}`),
  balance: text(entry?.balance_after, digits, `The balance after ${what}`),
  held: text(entry?.held_after, digits, `What is held after ${what}`),
})

/** Each entry's hash covers the one before it. */
const hashOf = (before, digest, account, { seq, amount, balance, held }) =>
  sha256(`${before} ${digest} ${account} ${seq} ${amount} ${balance} ${held}`)

/** Follows an entry from one before it. */
function follow({ seq, balance }, entry) {
  if (BigInt(entry.seq) !== seq + 1n) wrong(`Entry ${entry.seq} does not follow entry ${seq}.`)
  if (BigInt(entry.balance) !== balance + BigInt(entry.amount))
    wrong(`The balance after entry ${entry.seq} is not the one before and its amount.`)
  if (BigInt(entry.balance) < BigInt(entry.held) || BigInt(entry.held) < 0n)
    wrong(`The balance after entry ${entry.seq} is less than what is held.`)
  return { seq: seq + 1n, balance: BigInt(entry.balance) }
}

/** Returns what is proved, or throws a sentence that says what is wrong. `given` is a head that somebody kept. */
export function verifyReceipt(receipt, given) {
  if (receipt?.format !== 'mfuko-receipt-1') wrong('This is not a receipt.')
  const { entry, later, head } = receipt
  const account = text(head?.account, digits, 'The account')
  const first = sumsOf(entry, 'the entry')
  const posting = entry.posting ?? {}
  const [id, time] = [text(posting.id, digits, 'The posting'), text(posting.time_ms, digits, 'The time')]
  const kind = text(posting.kind, /^[a-z_]{1,32}$/, 'The kind')
  if (typeof posting.details !== 'string') wrong('The details are not of the right form.')
  if (!Array.isArray(later)) wrong('The later entries are not of the right form.')
  const balanceBefore = BigInt(text(entry.balance_before, digits, 'The balance before'))
  let at = follow({ seq: BigInt(first.seq) - 1n, balance: balanceBefore }, first)
  let hash = text(entry.before, hex, 'The hash before')
  if ((first.seq === '1') !== (hash === nothingBefore) || (first.seq === '1' && balanceBefore !== 0n))
    wrong('Only the first entry has nothing before it.')
  hash = hashOf(hash, sha256(`${id} ${time} ${kind} ${posting.details}`), account, first)
  const hashes = new Map([[at.seq, { hash, balance: at.balance }]])
  for (const link of later) {
    const next = sumsOf(link, 'a later entry')
    at = follow(at, next)
    hash = hashOf(hash, text(link.digest, hex, 'A digest'), account, next)
    hashes.set(at.seq, { hash, balance: at.balance })
  }
  compare(head, { account, hashes, last: at.seq, what: 'The head in the receipt' })
  if (BigInt(head.seq) !== at.seq) wrong('The head in the receipt is not its last entry.')
  if (given !== undefined) compare(given, { account, hashes, last: at.seq, what: 'The head that you have' })
  const { currency, group } = head
  return { group, currency, entry: first, kind, time: new Date(Number(time)), details: posting.details, head }
}

/** Is the head where the chain is? */
function compare(head, { account, hashes, last, what }) {
  if (head?.format !== 'mfuko-head-1') wrong(`${what} is not a head.`)
  if (head.account !== account) wrong(`${what} is of another account.`)
  const seq = BigInt(text(head.seq, digits, 'The number of the head'))
  if (seq > last)
    wrong(`${what} is of entry ${seq}, and the receipt ends before it. Ask for one with ?to=${seq}.`)
  const found = hashes.get(seq)
  if (found === undefined) wrong(`${what} is of entry ${seq}, before the entry of the receipt.`)
  if (
    found.hash !== head.hash ||
    found.balance !== BigInt(text(head.balance, digits, 'The balance of the head'))
  )
    wrong(`${what} does not fit: the entry or something after it was altered.`)
}

/** The order of a round, made again from what it was drawn with. */
export function verifyDraw(round) {
  const { draw, seats } = round ?? {}
  if (typeof draw !== 'object' || draw === null || !Array.isArray(seats))
    wrong('This is not a round that was drawn.')
  if (draw.seed === null) wrong('The seed is shown when the round has started.')
  if (sha256(text(draw.seed, hex, 'The seed')) !== draw.commitment)
    wrong('The seed is not the one that was announced.')
  const said = new Map((draw.words ?? []).map(({ handle, word }) => [handle, word]))
  const handles = seats.map(({ member }) => text(member?.handle, /^[a-z][a-z0-9_]{2,19}$/, 'A handle'))
  const sorted = [...handles].sort((one, other) => (one < other ? -1 : 1))
  const key = sha256(draw.seed + sorted.map((handle) => `\n${handle} ${said.get(handle) ?? ''}`).join(''))
  const tickets = new Map(sorted.map((handle) => [handle, sha256(`${key} ${handle}`)]))
  const order = [...sorted].sort((one, other) => (tickets.get(one) < tickets.get(other) ? -1 : 1))
  if (order.join() !== handles.join()) wrong('This is another order than the one that was drawn.')
  return { order }
}

const usage =
  'Say: npm run verify-receipt -- receipt.json [--head head.json], or npm run verify-draw -- round.json'

function main(given) {
  const [what = '', ...rest] = given
  const at = rest.indexOf('--head')
  const [headFile] = at === -1 ? [] : rest.splice(at, 2).slice(1)
  const [file] = rest
  if (file === undefined || rest.length > 1 || (at !== -1 && headFile === undefined)) wrong(usage)
  const read = (path) => dataOf(JSON.parse(readFileSync(path, 'utf8')))
  if (what === 'draw') {
    const { order } = verifyDraw(read(file))
    return `The order is the one that was drawn: ${order.join(', ')}.`
  }
  const proved = verifyReceipt(read(file), headFile === undefined ? undefined : read(headFile))
  const { entry, kind, time, details, head, currency } = proved
  return [
    `The receipt holds: entry ${entry.seq}, ${kind}, ${entry.amount} minor units of ${currency}, ${time.toISOString()}.`,
    `It says: ${details}`,
    headFile === undefined
      ? `It leads to entry ${head.seq} with the hash ${head.hash}. Compare that with a head of your own (--head).`
      : 'It leads to the head that you have: nothing in between was altered.',
  ].join('\n')
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  try {
    console.log(main(argv.slice(2)))
  } catch (error) {
    console.error(`Refused: ${error.message}`)
    exit(1)
  }
}
