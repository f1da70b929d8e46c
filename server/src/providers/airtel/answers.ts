// Reads what Airtel answers. Only a clear word ends an operation: a code or a status that is not known, an answer that
// is not JSON and any 5xx are unclear, and the enquiry is made again.
import type { Heard, OperationKind, WireAnswer } from '../contract.ts'
import { at, isObject, type Json, quoted, readJson, textAt } from '../json.ts'
import { isFailure, meaningOf } from './codes.ts'

export interface About {
  kind: OperationKind
  /** Ours, as Airtel has it. */
  id: string
}

/** The answer to an order. Of a collection it says at best that the prompt was sent. */
export function readStarted(answer: WireAnswer, { kind, id }: About): Heard {
  const body = readAnswer(answer)
  if (body === undefined) return unclear(answer)
  const meaning = meaningIn(body, kind)
  const status = textAt(body, 'data', 'transaction', 'status')
  if (meaning === 'already_there') return { state: 'pending' }
  if (isFailure(meaning) && meaning !== 'expired') return failed(meaning, body)
  if (answer.status >= 400) return refused(answer, body)
  if (meaning === 'unclear' || meaning === 'not_found' || meaning === 'expired') return unclear(answer, body)
  const isDone = {
    collect: false,
    // `SUCCESS` would only mean that it was taken.
    payout: meaning === 'success' && status === 'TS' && textAt(body, 'data', 'transaction', 'id') === id,
    // Has no id of ours and no code but the general one, and there is no enquiry that could say more.
    refund: isFine(body) && (status === 'SUCCESS' || status === 'TS'),
  }[kind]
  if (isDone) return completed(body)
  return meaning !== undefined || isFine(body) ? { state: 'pending' } : unclear(answer, body)
}

const isFine = (body: Json): boolean => textAt(body, 'status', 'result_code') === 'ESB000010'

/** The answer to an enquiry. */
export function readEnquiry(answer: WireAnswer, { kind, id }: About): Heard {
  const body = readAnswer(answer)
  if (body === undefined) return unclear(answer)
  const meaning = meaningIn(body, kind)
  const status = textAt(body, 'data', 'transaction', 'status')
  const told = textAt(body, 'data', 'transaction', 'id')
  if (told !== undefined && told !== id) return unclear(answer, body)
  if (meaning === 'not_found' && status === undefined)
    return { state: 'absent', detail: `Airtel does not know it: ${wordsOf(body)}` }
  // A status speaks of the transaction; without its id it may be of any.
  if (answer.status !== 200 || told === undefined) return unclear(answer, body)
  switch (status) {
    case 'TS':
      return completed(body)
    case 'TF':
      return failed(isFailure(meaning) ? meaning : 'provider_error', body)
    case 'TE':
      return failed('expired', body)
    case 'TIP':
    case 'DP':
      return { state: 'pending' }
    default:
      return unclear(answer, body)
  }
}

/** Of the service, of the door before it, and of the token service. */
const envelopes = ['status', 'status_code', 'error']

/** Undefined when nothing in it can be relied on. */
function readAnswer({ status, body }: WireAnswer): Json | undefined {
  const isWord = status === 200 || (status >= 400 && status < 500 && status !== 429)
  if (!isWord) return undefined
  const read = readJson(body)
  return isObject(read) && envelopes.some((name) => at(read, name) !== undefined) ? read : undefined
}

const codesOf = (body: Json): (string | undefined)[] => [
  textAt(body, 'status', 'response_code'),
  textAt(body, 'status', 'result_code'),
  textAt(body, 'status_code'),
]

const messageOf = (body: Json): string | undefined =>
  textAt(body, 'data', 'transaction', 'message') ??
  textAt(body, 'status', 'message') ??
  textAt(body, 'status_message') ??
  textAt(body, 'error_description')

const meaningIn = (body: Json, kind: OperationKind) =>
  meaningOf({ codes: codesOf(body), message: messageOf(body), kind })

/** A 4xx without a code that is known. What is not authorised or not valid was not done. */
const refused = (answer: WireAnswer, body: Json): Heard => {
  if (at(body, 'status', 'success') === true) return unclear(answer, body)
  if (answer.status === 401 || answer.status === 403) return failed('provider_config', body)
  return answer.status === 400 ? failed('provider_error', body) : unclear(answer, body)
}

const completed = (body: Json): Heard => ({
  state: 'completed',
  receipt: textAt(body, 'data', 'transaction', 'airtel_money_id'),
})

const failed = (code: Extract<Heard, { state: 'failed' }>['code'], body: Json): Heard => ({
  state: 'failed',
  code,
  detail: wordsOf(body),
})

const unclear = ({ status }: WireAnswer, body?: Json): Heard => ({
  state: 'unknown',
  detail: `Airtel answered ${status}${body === undefined ? '' : `: ${wordsOf(body)}`}`,
})

/** For operators: the codes and the sentence. */
const wordsOf = (body: Json): string =>
  quoted(
    [...codesOf(body), textAt(body, 'data', 'transaction', 'status'), messageOf(body)]
      .filter((word) => word !== undefined)
      .join(' '),
  )
