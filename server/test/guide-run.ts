// Runs what a guide writes for curl, and holds the answer against the one that the guide shows. The line goes to a shell as
// it is written, to the address that is written; a `.curlrc` of the tests' own tells curl where that is today. On a machine
// without curl it is sent as guide-steps.ts reads it, and compared all the same.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findCommand, usualFolders } from '../../scripts/system-package.ts'
import { type Command, type CurlRequest, differs, type Example, like, requestOf } from './guide-steps.ts'

const run = promisify(execFile)

/** Where the guides say that the service is. */
export const writtenUrl = 'http://localhost:8080'
const limitMs = 30_000

export const curlIsHere = findCommand('curl', usualFolders()) !== undefined

export interface Reply {
  status: number
  head: string[]
  text: string
}

export interface Place {
  /** Where the reader works; what curl writes is there afterwards. */
  folder: string
  /** Where the service really is. */
  address: string
  /** What the terminal knows. */
  variables: ReadonlyMap<string, string>
}

type Curl = Extract<Command, { curl: string[] }>

export async function runCurl(command: Curl, place: Place): Promise<{ reply: Reply; request: CurlRequest }> {
  const request = requestOf(command.curl, place.variables)
  assert.ok(request.url.startsWith(`${writtenUrl}/`), `${request.url} is at ${writtenUrl}`)
  return { reply: await (curlIsHere ? typed({ ...command, request }, place) : sent(request, place)), request }
}

/** By curl. `write-out` is the status alone, apart from what the reader sees. */
export async function typed(
  { line, request }: Curl & { request: CurlRequest },
  { folder, address, variables }: Place,
): Promise<Reply> {
  const settings = [
    `connect-to = "${new URL(writtenUrl).host}:${new URL(address).host}"`,
    'write-out = "%{stderr}%{http_code}"',
    'noproxy = "*"',
  ]
  if (!existsSync(join(folder, '.curlrc'))) writeFileSync(join(folder, '.curlrc'), settings.join('\n'))
  const env = { ...process.env, ...Object.fromEntries(variables), CURL_HOME: folder }
  const { stdout, stderr } = await run('sh', ['-c', line], { cwd: folder, env, timeout: limitMs })
  const [head = '', ...rest] = request.withHead ? stdout.split('\r\n\r\n') : []
  const shown = request.withHead ? rest.join('\r\n\r\n') : stdout
  return {
    status: Number(stderr.slice(-3)),
    head: head.split('\r\n'),
    text: request.file === undefined ? shown : readFileSync(join(folder, request.file), 'utf8'),
  }
}

/** Without curl. */
export async function sent(
  request: CurlRequest,
  { folder, address }: Omit<Place, 'variables'>,
): Promise<Reply> {
  const { url, method, headers, body, file } = request
  const reply = await fetch(url.replace(writtenUrl, address), {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  const head = [...reply.headers].map(([name, value]) => `${name}: ${value}`)
  const text = await reply.text()
  if (file !== undefined) writeFileSync(join(folder, file), text)
  return { status: reply.status, head: [`HTTP/1.1 ${reply.status} ${reply.statusText}`, ...head], text }
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
