import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { decodeCursor, encodeCursor } from '../http/cursor.ts'
import { refuseFields } from '../http/fields.ts'
import type { App } from '../http/instance.ts'
import { listOf, ok } from '../http/schema.ts'
import { callerOf } from '../http/scope.ts'
import { openExports } from './exports.ts'
import { readPlaces, writePlaces } from './history.ts'
import { type ReceiptPerson, readReceiptStyle, receiptHeaders, receiptPage } from './receipt.ts'
import { readMoment } from './rules.ts'
import {
  CsvReply,
  ListQuery,
  momentProblem,
  PersonPath,
  ReceiptReply,
  ReferencePath,
  SelectionQuery,
  shownLine,
  shownWhole,
  TransactionList,
  TransactionReply,
} from './schema.ts'
import * as transactions from './transactions.ts'

export interface TransactionRouteDeps extends transactions.TransactionDeps {
  clock: Clock
  /** Whose receipt it is, and how that person reads it. */
  personOf(userId: string): Promise<ReceiptPerson | undefined>
}

export function transactionRoutes(app: App, deps: TransactionRouteDeps): void {
  listRoute(app, deps)
  exportRoute(app, deps)
  oneRoute(app, deps)
  receiptRoute(app, deps)
}

const listing = { attachValidation: true, config: { readCursor: placesOf } } as const

function listRoute(app: App, deps: TransactionRouteDeps): void {
  const schema = {
    summary: 'List your transactions',
    description:
      'The newest first, over all your wallets. A search looks at many lines to find a few: a page may then hold fewer than `limit`, even none, and still have a `next_cursor`; go on until it is null. What arrives while you page is on a new first page, never in between.',
    tags: ['Transactions'],
    operationId: 'listTransactions',
    querystring: ListQuery,
    response: { 200: TransactionList },
  }
  app.get('/api/transactions', { schema, ...listing }, async (request) =>
    listOf('Your transactions', await pageOf(deps, { ...askedOf(request), userId: callerOf(request) })),
  )
}

export interface PersonHistoryDeps extends transactions.TransactionDeps {
  personOf(userId: string): Promise<object | undefined>
}

/** Scope: operators. */
export function personHistoryRoutes(app: App, deps: PersonHistoryDeps): void {
  const schema = {
    summary: 'Transactions of a person',
    description: 'As the person sees them, the newest first.',
    tags: ['Operator'],
    operationId: 'listTransactionsOfPerson',
    params: PersonPath,
    querystring: ListQuery,
    response: { 200: TransactionList },
  }
  app.get('/api/operator/users/:id/transactions', { schema, ...listing }, async (request) => {
    const { id } = request.params
    const asked = askedOf(request)
    if ((await deps.personOf(id)) === undefined)
      throw new AppError('not_found', { detail: 'There is no such person.' })
    return listOf('Transactions', await pageOf(deps, { ...asked, userId: id }))
  })
}

function askedOf(request: FastifyRequest<{ Querystring: Static<typeof ListQuery> }>) {
  const { limit = 25, cursor } = request.query
  const selection = selectionOf(request, request.query)
  return { selection, limit, places: cursor === undefined ? undefined : placesOf(cursor) }
}

async function pageOf(
  deps: transactions.TransactionDeps,
  asked: ReturnType<typeof askedOf> & { userId: string },
) {
  const { items, next } = await transactions.list(deps, asked)
  const nextCursor = next === undefined ? null : encodeCursor([writePlaces(next)])
  return { items: items.map(shownLine), nextCursor }
}

function exportRoute(app: App, deps: TransactionRouteDeps): void {
  const schema = {
    summary: 'Download your transactions as CSV',
    description:
      'The same selection as the list, whole, as it is at this moment. Six an hour, one at a time. A download that breaks off ends without the last chunk: try it again.',
    tags: ['Transactions'],
    operationId: 'exportTransactions',
    querystring: SelectionQuery,
    response: { 200: CsvReply },
  }
  const exports = openExports(deps)
  // A HEAD would make the whole table and throw it away.
  const options = {
    schema,
    attachValidation: true,
    exposeHeadRoute: false,
    config: { limit: 'export' },
  } as const
  app.get('/api/transactions.csv', options, async (request, reply) => {
    const selection = selectionOf(request, request.query)
    const stream = await exports.begin({ userId: callerOf(request), selection })
    const day = deps.clock.now().toISOString().slice(0, 10)
    return reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="transactions-${day}.csv"`)
      .send(stream)
  })
}

function oneRoute(app: App, deps: TransactionRouteDeps): void {
  const schema = {
    summary: 'See one transaction',
    description:
      'With its steps in time. The reference of somebody else is as unknown as one that never was.',
    tags: ['Transactions'],
    operationId: 'getTransaction',
    params: ReferencePath,
    response: { 200: TransactionReply },
  }
  app.get('/api/transactions/:reference', { schema }, async (request) => {
    const { reference } = request.params
    const found = await transactions.one(deps, { userId: callerOf(request), reference })
    return ok('Your transaction', shownWhole(found))
  })
}

function receiptRoute(app: App, deps: TransactionRouteDeps): void {
  const schema = {
    summary: 'Get the receipt of a transaction',
    description: 'A page to print or to keep as PDF, in your language.',
    tags: ['Transactions'],
    operationId: 'getReceipt',
    params: ReferencePath,
    response: { 200: ReceiptReply },
  }
  const { address } = readReceiptStyle()
  app.get('/api/transactions/:reference/receipt', { schema }, async (request, reply) => {
    const { reference } = request.params
    const userId = callerOf(request)
    const { transaction } = await transactions.one(deps, { userId, reference })
    const person = await deps.personOf(userId)
    check(person !== undefined, 'who has a session is a person')
    const page = receiptPage({ transaction, person, style: address, brandName: deps.config.BRAND_NAME })
    return reply.headers(receiptHeaders).type('text/html; charset=utf-8').send(page)
  })
}

/** The selection, or a refusal that names every wrong field. */
function selectionOf(request: FastifyRequest, query: SelectionQuery): transactions.Selection {
  let from: Date | undefined
  let to: Date | undefined
  refuseFields(request, (refused) => {
    const errors: Record<string, string> = {}
    if (query.from !== undefined && !('from' in refused)) {
      from = readMoment(query.from)
      if (from === undefined) errors.from = `From ${momentProblem}`
    }
    if (query.to !== undefined && !('to' in refused)) {
      to = readMoment(query.to, { isEnd: true })
      if (to === undefined) errors.to = `To ${momentProblem}`
      else if (from !== undefined && to <= from) errors.to = 'To must be later than from'
    }
    return errors
  })
  const { currency, type, direction, status, q } = query
  return { currency, type, direction, status, from, to, q: q?.trim() === '' ? undefined : q }
}

function placesOf(cursor: string): transactions.Places {
  const places = readPlaces(decodeCursor(cursor, 1)[0] ?? '')
  if (places !== undefined) return places
  const errors = { cursor: 'Cursor is not one that this list gave out; start again without it' }
  throw new AppError('validation_failed', { errors })
}
