// The log: one line a request, by allow-list. What is not named here is not written: no body, no query, no
// header, no address a person typed. Errors are written whole, less what a database quotes of the data.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { ErrorCode } from '../base/errors.ts'
import type { App } from './instance.ts'
import { networkOf } from './rate-limits.ts'
import type { Principal } from './scope.ts'

export interface LogOptions {
  level: string
  format: 'json' | 'text'
  destination?: DestinationStream
}

export function openLog({ level, format, destination }: LogOptions): Logger {
  const stream = destination ?? standardOutput()
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    format === 'json' ? stream : { write: (line: string) => stream.write(asText(line)) },
  )
}

/** A terminal that was closed takes nothing more. Trying again for ever would keep the process from ending. */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: false })
  const nothing = () => undefined
  stream.on('error', () =>
    Object.assign(stream, {
      write: nothing,
      end: nothing,
      flush: nothing,
      flushSync: nothing,
      destroy: nothing,
    }),
  )
  return stream
}

export interface Served {
  method: string
  route: string
  status: number
  seconds: number
  /** Present when it was answered with an error. */
  refused?: Refused
}

export interface Refused {
  code: ErrorCode
  caller: Principal | undefined
  address: string
  /** What counts as one address. */
  network: string
  requestId: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The error that it was answered with. */
    errorCode: ErrorCode | null
  }
}

export function logRequests(app: App, onServed: (served: Served) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    tellServed({ request, reply, onServed })
    done()
  })
}

/**
 * For the framework, which makes a child of the log for every request. Pino's own writes its fields out at once, which
 * takes longer than finding the route; so all requests share the log, and who logs for one names it.
 */
export function withoutChildren(log: Logger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(log, { child: { value: () => shared } })
  return shared
}

export interface Answered {
  request: FastifyRequest
  reply: FastifyReply
  onServed: (served: Served) => void
}

export function tellServed({ request, reply, onServed }: Answered): void {
  const seconds = reply.elapsedTime / 1_000
  const route = routeOf(request)
  const refused = refusedOf(request)
  const { principal } = request
  const served: Served = { method: request.method, route, status: reply.statusCode, seconds }
  onServed(refused === undefined ? served : { ...served, refused })
  request.log.info(
    {
      request_id: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      principal: principal ? `${principal.kind}:${principal.id}` : undefined,
      bytes_in: Number(request.headers['content-length'] ?? 0),
      bytes_out: Number(reply.getHeader('content-length') ?? 0),
    },
    'request',
  )
}

function refusedOf(request: FastifyRequest): Refused | undefined {
  const { errorCode: code, principal, ip: address, id: requestId } = request
  if (code === null) return undefined
  return { code, caller: principal ?? undefined, address, network: networkOf(request), requestId }
}

/** The template, never the address: a path may hold a token. */
const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? '(unknown)'

const causesMax = 5

/** PostgreSQL puts the offending values in `detail` and `where`, and for malformed input in the message itself. */
export function describeError(thrown: unknown, depth = 0): object {
  if (!(thrown instanceof Error)) return { type: typeof thrown }
  const { code, severity, constraint, table } = thrown as Error &
    Partial<Record<'code' | 'severity' | 'constraint' | 'table', unknown>>
  const quotesData = severity !== undefined && typeof code === 'string' && code.startsWith('22')
  const hide = (text: string) =>
    quotesData ? text.replaceAll(thrown.message, `database error ${code}`) : text
  return {
    type: thrown.name,
    message: hide(thrown.message),
    stack: hide(thrown.stack ?? ''),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(typeof table === 'string' ? { table } : {}),
    ...(thrown.cause !== undefined && depth < causesMax
      ? { cause: describeError(thrown.cause, depth + 1) }
      : {}),
  }
}

/** For a person at a terminal: `12:04:31 GET /api/health 200 1.2 ms`. */
function asText(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown>
  const time = String(entry.time).slice(11, 19)
  if (entry.msg === 'request') {
    return `${time} ${entry.method} ${entry.route} ${entry.status} ${entry.ms} ms  ${entry.request_id}\n`
  }
  const { level, time: _time, pid: _pid, msg, err, ...fields } = entry
  const details = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`
  const mark = level === 'info' ? '' : `${String(level).toUpperCase()} `
  return `${time} ${mark}${msg}${details}\n${err === undefined ? '' : `${errorText(err)}\n`}`
}

function errorText(err: unknown): string {
  const { stack, message, cause } = err as { stack?: string; message?: string; cause?: unknown }
  const own = stack || message || JSON.stringify(err)
  return cause === undefined ? own : `${own}\ncaused by ${errorText(cause)}`
}
