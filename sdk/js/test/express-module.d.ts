/** The little of it that the tests use. */
declare module 'express' {
  import type { RequestListener } from 'node:http'

  type Handler = (request: never, response: never, next: (error?: unknown) => void) => unknown
  interface Application extends RequestListener {
    use(...handlers: unknown[]): void
    post(path: string, ...handlers: Handler[]): void
  }
  const express: (() => Application) & { json(): Handler; raw(options: { type: string }): Handler }
  export = express
}
