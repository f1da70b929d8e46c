import type { FastifyRequest } from 'fastify'
import * as audit from '../audit/audit.ts'
import { check } from '../base/check.ts'
import { isCurrency, toJson } from '../base/money.ts'
import { numberCursor, pageOf, timeCursor } from '../http/cursor.ts'
import type { App } from '../http/instance.ts'
import { originOf } from '../http/origin.ts'
import { listOf, ok } from '../http/schema.ts'
import type { Principal } from '../http/scope.ts'
import * as ledgers from '../ledger/ledger.ts'
import * as mail from '../mail/mail.ts'
import * as merchants from '../merchants/merchants.ts'
import type * as users from '../users/users.ts'
import * as operators from './operators.ts'
import { providerRoutes } from './providers/routes.ts'
import * as schema from './schema.ts'
import { type WatchingDependencies, watchingRoutes } from './watching/routes.ts'

export { secondFactorRoutes } from './second-factor/routes.ts'

type Dependencies = WatchingDependencies

const tags = ['Operator']

/** The `admit` of the operators' scope. */
export const operatorAdmission =
  (deps: Pick<Dependencies, 'users' | 'db' | 'clock' | 'config'>) =>
  ({ id, session }: Principal) => {
    check(session !== undefined, 'who has a token is logged in')
    return operators.requireOperator(deps, { kind: 'user', id, session })
  }

/** Scope: operators. */
export function operatorRoutes(app: App, deps: Dependencies): void {
  applicationRoutes(app, deps)
  merchantRoutes(app, deps)
  peopleRoutes(app, deps)
  mailRoutes(app, deps)
  auditRoutes(app, deps)
  ledgerRoutes(app, deps)
  providerRoutes(app, { deps, actorOf })
  watchingRoutes(app, { deps, actorOf })
}

function actorOf(request: FastifyRequest): operators.Actor {
  const { principal } = request
  check(principal?.kind === 'operator' && principal.session !== undefined, 'the scope lets in operators only')
  return { ...originOf(request), operator: principal.id, session: principal.session }
}

function applicationRoutes(app: App, deps: Dependencies): void {
  const list = {
    tags,
    summary: 'Businesses that wait for a review',
    description: 'The oldest first. `overdue` are those that wait for more than 24 hours.',
    operationId: 'listApplications',
    querystring: schema.PageQuery,
    response: { 200: schema.ReviewedList },
  }
  const listing = { schema: list, config: { readCursor: numberedPlace } } as const
  app.get('/api/operator/applications', listing, async ({ query: { limit = 25, cursor } }) => {
    const after = cursor === undefined ? undefined : numberedPlace(cursor)
    const rows = await deps.merchants.applications({
      after: after && { appliedAt: after.at, id: after.id },
      limit: limit + 1,
    })
    const page = pageOf(rows, limit, (row) => [row.appliedAt.toISOString(), String(row.id)])
    return listOf('Applications', { ...page, items: await shownMerchants(deps, page.items) })
  })

  const approve = {
    tags,
    summary: 'Approve a business',
    description: 'Told by mail. The owner sees the live credentials at the next look.',
    operationId: 'approveMerchant',
    params: schema.MerchantParams,
    response: { 200: schema.ReviewedReply },
  }
  app.post('/api/operator/applications/:merchant_id/approve', { schema: approve }, async (request) =>
    ok('Approved', await decided(deps, request, { verb: 'approve' })),
  )

  const reject = {
    tags,
    summary: 'Reject a business',
    description: 'Told by mail, with the reason. It may apply again.',
    operationId: 'rejectMerchant',
    params: schema.MerchantParams,
    body: schema.ReasonBody,
    response: { 200: schema.ReviewedReply },
  }
  app.post('/api/operator/applications/:merchant_id/reject', { schema: reject }, async (request) =>
    ok('Rejected', await decided(deps, request, { verb: 'reject', reason: request.body.reason })),
  )
}

function merchantRoutes(app: App, deps: Dependencies): void {
  const list = {
    tags,
    summary: 'Businesses',
    description: 'The newest first.',
    operationId: 'listMerchants',
    querystring: schema.MerchantsQuery,
    response: { 200: schema.ReviewedList },
  }
  app.get(
    '/api/operator/merchants',
    { schema: list, config: { readCursor: numberedPlace } },
    async ({ query: { limit = 25, cursor, status, q } }) => {
      const before = cursor === undefined ? undefined : numberedPlace(cursor)
      const rows = await deps.merchants.search({
        status,
        q,
        before: before && { createdAt: before.at, id: before.id },
        limit: limit + 1,
      })
      const page = pageOf(rows, limit, (row) => [row.createdAt.toISOString(), String(row.id)])
      return listOf('Businesses', { ...page, items: await shownMerchants(deps, page.items) })
    },
  )

  const show = {
    tags,
    summary: 'Show a business',
    operationId: 'getMerchantAsOperator',
    params: schema.MerchantParams,
    response: { 200: schema.ReviewedReply },
  }
  app.get('/api/operator/merchants/:merchant_id', { schema: show }, async (request) => {
    const merchant = await deps.merchants.merchant(idOf(request.params))
    if (merchant === undefined) throw merchants.noSuchMerchant()
    return ok('Business', shownMerchant(deps, await operators.withOwner(deps, merchant)))
  })

  const suspend = {
    tags,
    summary: 'Suspend a business',
    description: 'Its API keys open nothing any more, at once. Told by mail, with the reason.',
    operationId: 'suspendMerchant',
    params: schema.MerchantParams,
    body: schema.ReasonBody,
    response: { 200: schema.ReviewedReply },
  }
  app.post('/api/operator/merchants/:merchant_id/suspend', { schema: suspend }, async (request) =>
    ok('Suspended', await decided(deps, request, { verb: 'suspend', reason: request.body.reason })),
  )

  const unsuspend = {
    tags,
    summary: 'End the suspension of a business',
    description: 'Its API keys work again. Told by mail.',
    operationId: 'unsuspendMerchant',
    params: schema.MerchantParams,
    response: { 200: schema.ReviewedReply },
  }
  app.post('/api/operator/merchants/:merchant_id/unsuspend', { schema: unsuspend }, async (request) =>
    ok('No longer suspended', await decided(deps, request, { verb: 'unsuspend' })),
  )
}

async function decided(deps: Dependencies, request: FastifyRequest, decision: operators.Decision) {
  const merchant = idOf(request.params as { merchant_id: string })
  return shownMerchant(deps, await operators.decide(deps, { ...decision, merchant, actor: actorOf(request) }))
}

const idOf = ({ merchant_id }: { merchant_id: string }): number => Number(merchant_id)

function peopleRoutes(app: App, deps: Dependencies): void {
  const find = {
    tags,
    summary: 'Find a person',
    operationId: 'findPeople',
    querystring: schema.PeopleQuery,
    response: { 200: schema.PeopleList },
  }
  app.get('/api/operator/users', { schema: find }, async ({ query: { q } }) => {
    const items = (await operators.findPeople(deps, q)).map(shownPerson)
    return listOf('People', { items, nextCursor: null })
  })

  const show = {
    tags,
    summary: 'Show a person',
    description: 'With the wallets and the business, if there is one.',
    operationId: 'getPerson',
    params: schema.UserParams,
    response: { 200: schema.PersonReply },
  }
  app.get('/api/operator/users/:id', { schema: show }, async ({ params: { id } }) =>
    ok('Person', shownWhole(await operators.seePerson(deps, id))),
  )

  const freeze = {
    tags,
    summary: 'Freeze an account',
    description: 'No money leaves it, and all its sessions end. Told by mail.',
    operationId: 'freezeUser',
    params: schema.UserParams,
    body: schema.FreezeBody,
    response: { 200: schema.PersonReply },
  }
  app.post('/api/operator/users/:id/freeze', { schema: freeze }, async (request) => {
    const { params, body } = request
    const freezing = { user: params.id, frozen: true, reason: body.reason, actor: actorOf(request) }
    return ok('Frozen', shownWhole(await operators.changeFrozen(deps, freezing)))
  })

  const unfreeze = {
    tags,
    summary: 'Unfreeze an account',
    description: 'Told by mail.',
    operationId: 'unfreezeUser',
    params: schema.UserParams,
    response: { 200: schema.PersonReply },
  }
  app.post('/api/operator/users/:id/unfreeze', { schema: unfreeze }, async (request) => {
    const freezing = { user: request.params.id, frozen: false, reason: undefined, actor: actorOf(request) }
    return ok('Open again', shownWhole(await operators.changeFrozen(deps, freezing)))
  })
}

function mailRoutes(app: App, deps: Dependencies): void {
  const list = {
    tags,
    summary: 'Mails',
    description: 'The newest first, without their contents.',
    operationId: 'listMails',
    querystring: schema.MailsQuery,
    response: { 200: schema.MailList },
  }
  const listing = { schema: list, config: { readCursor: numberCursor } } as const
  app.get('/api/operator/mails', listing, async ({ query: { limit = 25, cursor, to, state } }) => {
    const before = cursor === undefined ? undefined : numberCursor(cursor)
    const rows = await mail.search(deps.db, { to, state, before, limit: limit + 1 })
    const page = pageOf(rows, limit, (row) => [String(row.number)])
    return listOf('Mails', { ...page, items: page.items.map(shownMail) })
  })

  const show = {
    tags,
    summary: 'Read a mail',
    description: 'Where there is no mail server, this is the only way. It is written down who did.',
    operationId: 'readMail',
    params: schema.MailParams,
    response: { 200: schema.MailReply },
  }
  app.get('/api/operator/mails/:id', { schema: show }, async (request) => {
    const found = await operators.readMail(deps, { id: request.params.id, actor: actorOf(request) })
    return ok('Mail', { ...shownMail(found), text: found.text ?? null, html: found.html ?? null })
  })
}

function auditRoutes(app: App, { db }: Dependencies): void {
  const search = {
    tags,
    summary: 'Search the audit log',
    description: 'The newest first.',
    operationId: 'searchAudit',
    querystring: schema.AuditQuery,
    response: { 200: schema.AuditList },
  }
  const listing = { schema: search, config: { readCursor: eventPlace } } as const
  app.get('/api/operator/audit', listing, async ({ query }) => {
    const { limit = 25, cursor, from, to, ...wanted } = query
    const before = cursor === undefined ? undefined : eventPlace(cursor)
    const rows = await audit.search(db, {
      ...wanted,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      before: before && { at: new Date(before.at), id: BigInt(before.id) },
      limit: limit + 1,
    })
    const page = pageOf(rows, limit, (row) => [row.at.toISOString(), String(row.id)])
    return listOf('Audit log', { ...page, items: page.items.map(shownEvent) })
  })
}

function ledgerRoutes(app: App, deps: Dependencies): void {
  const show = {
    tags,
    summary: 'The books',
    description: 'What the last check found, and the trial balance as of then.',
    operationId: 'getBooks',
    response: { 200: schema.LedgerReply },
  }
  app.get('/api/operator/ledger', { schema: show }, async () =>
    ok('Books', shownBooks(await ledgers.latestCheck(deps.db))),
  )

  const run = {
    tags,
    summary: 'Check the books now',
    description: 'In the background; look at the books again after a while.',
    operationId: 'checkBooks',
    response: { 200: schema.AskedReply },
  }
  app.post('/api/operator/ledger/check', { schema: run }, async (request) => {
    await operators.askForCheck(deps, actorOf(request))
    return ok('The books are being checked', { queued: true as const })
  })
}

/** Of a list in the order of a time and a number. */
const eventPlace = timeCursor(/^\d{1,18}$/)
const merchantPlace = timeCursor(/^\d{1,9}$/)

function numberedPlace(cursor: string): { at: Date; id: number } {
  const { at, id } = merchantPlace(cursor)
  return { at: new Date(at), id: Number(id) }
}

const timeOrNull = (time: Date | undefined): string | null => time?.toISOString() ?? null

async function shownMerchants(deps: Dependencies, found: readonly merchants.Merchant[]) {
  return (await operators.withOwners(deps, found)).map((one) => shownMerchant(deps, one))
}

function shownMerchant(
  { clock }: Dependencies,
  { merchant, owner }: operators.ReviewedMerchant,
): schema.Reviewed {
  const dueAt = merchants.reviewDueAt(merchant.appliedAt)
  return {
    merchant_id: merchant.id,
    business_name: merchant.businessName,
    category: merchant.category,
    website_url: merchant.websiteUrl,
    ipn_url: merchant.ipnUrl ?? null,
    callback_url: merchant.callbackUrl ?? null,
    settlement_currency: merchant.settlementCurrency,
    redirect_hosts: [...merchant.hosts],
    status: merchant.status,
    owner: owner === undefined ? null : shownOwner(owner),
    applied_at: merchant.appliedAt.toISOString(),
    review_due_at: dueAt.toISOString(),
    overdue: merchant.status === 'pending' && clock.now() > dueAt,
    reviewed_at: timeOrNull(merchant.reviewedAt),
    rejection_reason: merchant.rejectionReason ?? null,
    suspension_reason: merchant.suspensionReason ?? null,
    created_at: merchant.createdAt.toISOString(),
  }
}

const shownOwner = (person: users.Person) => ({
  id: person.id,
  handle: person.handle,
  name: person.name,
  email: person.email ?? null,
  email_confirmed: person.emailConfirmed,
  phone: person.phone ?? null,
  country: person.country,
  frozen: person.frozen,
})

const shownPerson = (person: users.Person): schema.Person => ({
  ...shownOwner(person),
  locale: person.locale,
  roles: [...person.roles],
  has_pin: person.hasPin,
  created_at: person.createdAt.toISOString(),
})

const shownWhole = ({ person, wallets, merchant }: operators.PersonSeen) => ({
  ...shownPerson(person),
  wallets: wallets.map(({ currency, balance, held }) => ({
    currency,
    balance: toJson({ minor: balance, currency }),
    held: toJson({ minor: held, currency }),
  })),
  merchant_id: merchant?.id ?? null,
})

const shownMail = (row: mail.MailRow) => ({
  id: row.id,
  to: row.to.address,
  name: row.to.name,
  locale: row.to.locale,
  template: row.template,
  subject: row.subject ?? null,
  state: row.state,
  attempts: row.attempts,
  problem: row.problem ?? null,
  about: row.about ?? null,
  queued_at: row.queuedAt.toISOString(),
  done_at: timeOrNull(row.doneAt),
})

const shownEvent = (row: audit.AuditRow) => ({
  id: String(row.id),
  at: row.at.toISOString(),
  actor: row.actor,
  action: row.action,
  object: row.object ?? null,
  result: row.result,
  address: row.address ?? null,
  session: row.session ?? null,
  request_id: row.requestId ?? null,
  details: row.details,
  sealed: row.sealed,
})

function shownBooks(kept: ledgers.KeptCheck | undefined) {
  if (kept === undefined) return { last_check: null, trial_balance: [] }
  const { startedAt, seconds, ok: right, accounts, entries, postings, problems, trial } = kept
  return {
    last_check: {
      started_at: startedAt.toISOString(),
      seconds,
      ok: right,
      accounts: Number(accounts),
      entries: Number(entries),
      postings: Number(postings),
      problems,
    },
    trial_balance: trial.map(({ mode, currency, kind, accounts: count, balance }) => {
      check(isCurrency(currency), 'the books are in known currencies')
      return {
        mode: mode === 'live' ? ('live' as const) : ('test' as const),
        currency,
        kind,
        accounts: count,
        balance: toJson({ minor: balance, currency }),
      }
    }),
  }
}
