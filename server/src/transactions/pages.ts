import type { App } from '../http/instance.ts'
import { readReceiptStyle } from './receipt.ts'

const year = 'public, max-age=31536000, immutable'

/** What the receipt needs besides itself. No secret, so anybody may have it. */
export function receiptPages(app: App): void {
  const { path, text } = readReceiptStyle()
  app.get(path, { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', year).type('text/css; charset=utf-8').send(text),
  )
}
