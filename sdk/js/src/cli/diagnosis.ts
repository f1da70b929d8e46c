// Why a receiver refuses a good delivery: each usual mistake is signed for, and the one that is taken is the one made.
import { createHmac } from 'node:crypto'
import { type Answer, bodyOf, bodySignature } from './deliveries.ts'
import type { Patient } from './doctor.ts'
import { plain } from './terminal.ts'

interface Mistake {
  what: string
  how: string
  /** What a receiver that makes it would expect as the signature of the body. */
  signature: (secret: string, body: string) => string
}

const rawBytes = 'Verify the bytes as they came, and parse them afterwards.'

const mistakes: Mistake[] = [
  {
    what: 'The receiver encodes the body again with escaped slashes, as json_encode of PHP does',
    how: `${rawBytes} In PHP they are file_get_contents('php://input').`,
    signature: (secret, body) => bodySignature(secret, phpEncoded(body)),
  },
  {
    what: 'The receiver encodes the body again with spaces, as json.dumps of Python does',
    how: `${rawBytes} In Flask they are request.get_data(), in Django request.body.`,
    signature: (secret, body) => bodySignature(secret, pythonEncoded(body)),
  },
  {
    what: 'The receiver signs with what the secret stands for in base64',
    how: 'For the Signature header the key is the Client Secret as it is written, whsec_ and all.',
    signature: (secret, body) =>
      createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
        .update(body)
        .digest('hex'),
  },
  {
    what: 'The receiver leaves out the whsec_ of the secret',
    how: 'For the Signature header the key is the Client Secret as it is written, whsec_ and all.',
    signature: (secret, body) => bodySignature(secret.slice('whsec_'.length), body),
  },
  {
    what: 'The receiver expects the signature in base64',
    how: 'The Signature header is written in small hexadecimal digits.',
    signature: (secret, body) => createHmac('sha256', secret).update(body).digest('base64'),
  },
  {
    what: 'The receiver expects sha256= in front of the signature',
    how: 'The Signature header is the hexadecimal digits and nothing else.',
    signature: (secret, body) => `sha256=${bodySignature(secret, body)}`,
  },
]

export async function diagnose(
  { order, secret, send, report }: Patient,
  { answer, onlyRich }: { answer: Answer; onlyRich: boolean },
): Promise<void> {
  const got = answer.status === 0 ? 'no answer' : `status ${answer.status}`
  for (const { what, how, signature } of mistakes) {
    const body = bodyOf(order, 'payment.completed', { words: 'Coffee/Kahawa ☕ "Nº 1"' })
    const tried = await send({
      body,
      sequence: 2,
      bodySignature: signature(secret, body),
      webhookSignature: 'v1,',
    })
    if (tried.status < 200 || tried.status >= 300) continue
    report.fix(`A good delivery was refused (${got}). ${what}`, how)
    return
  }
  if (onlyRich) {
    report.fix(
      `A good delivery with slashes, quotes and other scripts was refused (${got}), a plain one taken`,
      `The body is not what came: ${rawBytes}`,
    )
    return
  }
  const hint =
    answer.status === 404 || answer.status === 422 ? ' If the order is unknown there, use --payment.' : ''
  report.fix(
    `A good delivery was refused (${got}): ${plain(answer.text.slice(0, 100))}`,
    `Is it the Client Secret of test mode? ${rawBytes}${hint}`,
  )
}

const characters = (text: string, ascii: boolean) =>
  ascii
    ? text.replaceAll(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text

const phpEncoded = (body: string): string => characters(body.replaceAll('/', '\\/'), true)

/** A space after each colon and comma that is not inside a text. */
const pythonEncoded = (body: string): string =>
  characters(
    body.replaceAll(/"(?:[^"\\]|\\.)*"|[:,]/g, (part) => (part === ':' || part === ',' ? `${part} ` : part)),
    true,
  )
