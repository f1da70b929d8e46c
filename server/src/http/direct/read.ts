// Reads a request that came whole, in one piece and in the plainest form. What must stay true: what is read here Node's
// own parser would read in the same way, to the letter; whatever it might read in another way is not read here at all.
import { ownText } from '../../base/own-text.ts'

export interface PlainRequest {
  url: string
  /** By their names in small letters. */
  headers: Record<string, string>
  body: Buffer
}

const headMax = 8_192
const headersMax = 50
const headEnd = '\r\n\r\n'
const lineEnd = '\r\n'

/** Each letter fits into one place of it only: a long text that does not fit costs no more than one that does. */
const headForm =
  /^POST \/[\w\-./~%:@=&?+,]* HTTP\/1\.1\r\n(?:[A-Za-z][A-Za-z0-9-]*: ?[!-~]+(?: [!-~]+)*\r\n)+$/
const lengthForm = /^(?:0|[1-9][0-9]{0,4})$/

/** They change where a request ends or what becomes of the connection; or, the last, Node makes a list of it. */
const special = new Set([
  ...['transfer-encoding', 'expect', 'upgrade', 'trailer', 'te', 'proxy-connection'],
  'set-cookie',
])

/** Undefined: it is not all here, more than one, or in another form. */
export function readPlain(bytes: Buffer): PlainRequest | undefined {
  const text = bytes.toString('latin1', 0, headMax)
  const end = text.indexOf(headEnd)
  if (end < 0) return undefined
  const head = text.slice(0, end + lineEnd.length)
  if (!headForm.test(head)) return undefined
  const headers = headersIn(head)
  if (headers === undefined) return undefined
  const length = headers['content-length'] ?? ''
  const bodyAt = end + headEnd.length
  if (!lengthForm.test(length) || bodyAt + Number(length) !== bytes.length) return undefined
  return {
    url: head.slice('POST '.length, head.indexOf(' ', 'POST '.length)),
    headers,
    body: bytes.subarray(bodyAt),
  }
}

/** Of a head of the right form. */
function headersIn(head: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  let count = 0
  for (let at = head.indexOf(lineEnd) + lineEnd.length; at < head.length; ) {
    const colon = head.indexOf(':', at)
    const end = head.indexOf(lineEnd, colon)
    const { name, isSpecial } = nameOf(head.slice(at, colon))
    const value = head.slice(head.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1, end)
    // How those that come twice are put together differs from name to name; some names every object has already.
    if (isSpecial || headers[name] !== undefined || count >= headersMax) return undefined
    if (name === 'connection' && value.toLowerCase() !== 'keep-alive') return undefined
    headers[name] = value
    count += 1
    at = end + lineEnd.length
  }
  return headers
}

interface Name {
  /** In small letters. */
  name: string
  isSpecial: boolean
}

/** The same few names come again and again. */
const knownNames = new Map<string, Name>()
const knownMax = 200

function nameOf(text: string): Name {
  const known = knownNames.get(text)
  if (known !== undefined) return known
  const name = ownText(text.toLowerCase())
  const made = { name, isSpecial: special.has(name) }
  if (knownNames.size < knownMax) knownNames.set(ownText(text), made)
  return made
}
