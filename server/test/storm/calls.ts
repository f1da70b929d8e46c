// How people and shops talk to the service in the storm: over HTTP, again and again while it is dead, with the same
// idempotency key; and a browser without scripts for the checkout.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Loose } from '../people.ts'

export interface Reply {
  status: number
  body: Loose
  text: string
}

export interface Request {
  method: 'GET' | 'POST'
  path: string
  body?: object
  headers?: Record<string, string>
  /** Made once: no answer is an error. */
  once?: boolean
}

export interface Page {
  status: number
  html: string
  /** Where it leads, if it is a redirect. */
  location: string | undefined
}

export interface Calls {
  /** Until it is answered, however often the service dies meanwhile. */
  json(request: Request): Promise<Reply>
  look(path: string): Promise<Page>
  /** Sends the form that leads to this place; undefined: the page has none. Redirects are not followed. */
  submit(page: Page, place: string, fields?: Record<string, string>): Promise<Page | undefined>
  /** Answers that nobody should ever get. */
  broken: string[]
  /** How often there was no answer. */
  unanswered(): number
}

const patienceMs = 180_000
const pauseMs = 500
const answerMs = 60_000

export function openCalls(url: string): Calls {
  const broken: string[] = []
  let unanswered = 0
  const send = async (
    path: string,
    { once = false, ...init }: RequestInit & { once?: boolean },
  ): Promise<Response & { said: string }> => {
    const until = performance.now() + patienceMs
    for (;;) {
      try {
        const answer = await fetch(new URL(path, url), {
          ...init,
          redirect: 'manual',
          signal: AbortSignal.timeout(answerMs),
        })
        const said = await answer.text()
        if (answer.status === 500)
          broken.push(`${init.method} ${path.split('?', 1)[0]}: ${said.slice(0, 300)}`)
        if (answer.status < 500) return Object.assign(answer, { said })
      } catch (error) {
        unanswered += 1
        if (once || performance.now() > until) throw error
      }
      if (performance.now() > until) throw new Error(`${path}: nobody answers`)
      await sleep(pauseMs)
    }
  }
  const page = async (path: string, init: RequestInit): Promise<Page> => {
    const { status, said, headers } = await send(path, init)
    return { status, html: said, location: headers.get('location') ?? undefined }
  }
  return {
    broken,
    unanswered: () => unanswered,
    json: async ({ method, path, body, headers = {}, once = false }) => {
      const { status, said: text } = await send(path, {
        method,
        once,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
    },
    look: (path) => page(path, { method: 'GET' }),
    submit: async ({ html }, place, fields = {}) => {
      const form = formIn(html, place)
      if (form === undefined) return undefined
      const body = new URLSearchParams({ ...form.hidden, ...fields }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return page(form.action, { method: 'POST', headers, body })
    },
  }
}

function formIn(html: string, place: string): { action: string; hidden: Record<string, string> } | undefined {
  for (const [, attributes = '', inside = ''] of html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)) {
    const action = plain(/\baction="([^"]*)"/.exec(attributes)?.[1] ?? '')
    if (!action.split('?', 1)[0]?.endsWith(`/${place}`)) continue
    const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
    return {
      action,
      hidden: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, plain(value)])),
    }
  }
  return undefined
}

const plain = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
