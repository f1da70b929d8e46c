// Sends what a guide writes for curl, and holds the answer against the one that the guide shows.
import assert from 'node:assert/strict'
import { type CurlRequest, differs, type Example, like } from './guide-steps.ts'

/** Where the guides say that the service is. */
export const writtenUrl = 'http://localhost:8080'

export interface Reply {
  status: number
  head: string[]
  text: string
}

export async function send({ url, method, headers, body }: CurlRequest, address: string): Promise<Reply> {
  assert.ok(url.startsWith(`${writtenUrl}/`), `${url} is at ${writtenUrl}`)
  const reply = await fetch(url.replace(writtenUrl, address), {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  const head = [...reply.headers].map(([name, value]) => `${name}: ${value}`)
  return {
    status: reply.status,
    head: [`HTTP/1.1 ${reply.status} ${reply.statusText}`, ...head],
    text: await reply.text(),
  }
}

export function compare(
  answer: NonNullable<Example['answer']>,
  { reply, request }: { reply: Reply; request: CurlRequest },
) {
  assert.equal(
    answer.kind === 'http',
    request.withHead,
    'an answer with its head is shown as http, and asked for with -i',
  )
  const [head, ...rest] = request.withHead ? answer.text.split('\n\n') : ['']
  for (const line of (head ?? '').split('\n').filter((one) => one !== ''))
    assert.ok(
      reply.head.some((real) => like(line, real)),
      `${line}\nis none of\n${reply.head.join('\n')}`,
    )
  const body = request.withHead ? rest.join('\n\n') : answer.text
  // Only the head is shown.
  if (request.withHead && body === '') return
  if (answer.kind === 'json' || (answer.kind === 'http' && body.startsWith('{'))) {
    const real = JSON.parse(reply.text)
    const problem = differs(JSON.parse(body), real)
    assert.equal(problem, undefined, `${problem}\nThe whole answer:\n${JSON.stringify(real, null, 2)}`)
    return
  }
  const lines = reply.text.replace(/^\ufeff/, '').split(/\r?\n/)
  body
    .trimEnd()
    .split('\n')
    .forEach((line, at) => {
      assert.ok(like(line, lines[at] ?? ''), `${line}\nis\n${lines[at]}`)
    })
}
