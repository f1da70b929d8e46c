// The addresses of campaigns' public pages: to look, to begin a contribution without an account, and the picture that
// goes with a link. Each answers with a page, errors too.
import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedLocale } from '../base/accepted-locale.ts'
import type { Clock } from '../base/clock.ts'
import { AppError, type ErrorCode } from '../base/errors.ts'
import type { Locale } from '../base/money.ts'
import { type PageAsset, styleAsset } from '../base/page-assets.ts'
import type { Prices } from '../base/prices.ts'
import { recent } from '../base/recent.ts'
import { beginErrorReply } from '../http/error-reply.ts'
import { readForm } from '../http/form-body.ts'
import { pageHeaders, pagePolicy, writePolicy } from '../http/headers.ts'
import type { App } from '../http/instance.ts'
import { refuseStrangers, sendAsset, sendPage, textIn } from '../http/page-reply.ts'
import type { Users } from '../users/users.ts'
import type { Campaign, Campaigns } from './campaigns.ts'
import {
  type CampaignView,
  campaignPage,
  contributionsShown,
  type Setting,
  type Typed,
  troublePage,
  updatesShown,
} from './page.ts'
import {
  type CoverConfig,
  coverProblem,
  lengthProblem,
  messageMax,
  nameMax,
  tidyLine,
  tidyText,
  typedAmount,
} from './rules.ts'
import { pictureHeight, pictureWidth, sharePicture } from './share/picture.ts'
import { locales, type PageProblem } from './words/words.ts'

export interface PageDeps {
  campaigns: Campaigns
  users: Pick<Users, 'person'>
  prices: Prices
  clock: Clock
  baseUrl: string
  config: CoverConfig & { readonly BRAND_NAME: string }
}

const hidden = { schema: { hide: true } }
const formBytesMax = 8 * 1024
const idForm = /^cmp_[0-9A-Za-z]{22}$/
const seqForm = /^[1-9]\d{0,17}$/

/** Scope: anybody. */
export function campaignPages(app: App, deps: PageDeps): void {
  const picture = keptPictures(deps)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(pageHeaders)
    if (request.method === 'POST') refuseStrangers(request)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: formBytesMax },
    async (_request: FastifyRequest, body: Buffer) => readForm(body),
  )
  app.setErrorHandler((error, request, reply) => {
    const { code } = beginErrorReply(error, request, reply)
    reply.headers(pageHeaders)
    const trouble = missing.includes(code) ? 'missing' : 'trouble'
    return sendPage(request, reply, troublePage(settingOf(deps, request), trouble))
  })

  app.get('/c/:id', hidden, async (request, reply) => {
    const campaign = await find(deps, request)
    return show(deps, { campaign, request, reply })
  })
  app.post('/c/:id/contribute', { ...hidden, config: { limit: 'anonymous' } }, async (request, reply) => {
    const campaign = await find(deps, request)
    const typed = typedIn(request)
    const problem = await begin(deps, { campaign, typed, reply })
    return problem === undefined
      ? reply
      : show(deps, { campaign, request, reply: reply.code(422), typed, problem })
  })
  app.get('/c/:id/share.png', hidden, async (request, reply) => {
    const campaign = await find(deps, request)
    return reply
      .headers({ 'cache-control': 'public, max-age=300', 'cross-origin-resource-policy': 'cross-origin' })
      .type('image/png')
      .send(await picture(campaign))
  })
}

/** What the pages load. No secret, so anybody may have it. */
export function campaignFiles(app: App): void {
  const { path } = style()
  app.get(path, hidden, async (request, reply) => sendAsset(request, reply, style()))
}

const ours = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

let kept: PageAsset | undefined
/** Read and compressed once a process. */
function style(): PageAsset {
  kept ??= styleAsset('/campaign.css', { tokens: ours('../../../web/tokens.css'), css: ours('./style.css') })
  return kept
}

const missing: readonly ErrorCode[] = ['not_found', 'bad_request']

async function find({ campaigns }: PageDeps, request: FastifyRequest): Promise<Campaign> {
  const { id = '' } = request.params as { id?: string }
  const found = idForm.test(id) ? await campaigns.find(id) : undefined
  if (found === undefined) throw new AppError('not_found')
  return found
}

function settingOf({ config, baseUrl }: PageDeps, request: FastifyRequest): Setting {
  const wanted = textIn(request.query, 'lang')
  const chosen = locales.find((locale) => locale === wanted)
  const locale: Locale = chosen ?? acceptedLocale(request.headers['accept-language'], locales) ?? 'en'
  return { locale, chosen: chosen !== undefined, brand: config.BRAND_NAME, style: style().address, baseUrl }
}

interface Showing {
  campaign: Campaign
  request: FastifyRequest
  reply: FastifyReply
  typed?: Typed
  problem?: PageProblem
}

async function show(
  deps: PageDeps,
  { campaign, request, reply, typed, problem }: Showing,
): Promise<FastifyReply> {
  const coverUrl = coverOf(deps, campaign)
  const view = { ...(await viewOf(deps, { campaign: { ...campaign, coverUrl }, request })), typed, problem }
  if (coverUrl !== null) {
    // The one picture from elsewhere that this page shows.
    const { origin } = new URL(coverUrl)
    const policy = writePolicy({ ...pagePolicy, 'img-src': `'self' data: ${origin}` })
    reply.header('content-security-policy', policy)
  }
  return sendPage(request, reply, campaignPage(settingOf(deps, request), view))
}

/** Judged again: it may be older than the rule. */
const coverOf = ({ config }: PageDeps, { coverUrl }: Campaign): string | null =>
  coverUrl === null || coverProblem(coverUrl, config) !== undefined ? null : coverUrl

async function viewOf(
  { campaigns, users, prices, clock }: PageDeps,
  { campaign, request }: Pick<Showing, 'campaign' | 'request'>,
): Promise<CampaignView> {
  const { id, currency } = campaign
  const placeOf = (name: string): bigint | undefined => {
    const text = textIn(request.query, name) ?? ''
    return seqForm.test(text) ? BigInt(text) : undefined
  }
  const before = { updates: placeOf('news'), contributions: placeOf('given') }
  const [owner, updates, contributions, isOpen] = await Promise.all([
    users.person(campaign.ownerId),
    campaigns.updates({ campaign: id, before: before.updates, limit: updatesShown + 1 }),
    campaigns.contributions({ campaign: id, before: before.contributions, limit: contributionsShown + 1 }),
    campaigns.isOpen(campaign),
  ])
  const amount = (minor: bigint) => ({ minor, currency })
  return {
    campaign,
    ownerName: owner?.name ?? '',
    updates,
    contributions,
    isOlder: { updates: before.updates !== undefined, contributions: before.contributions !== undefined },
    isOpen,
    limits: { least: amount(prices.least[currency]), most: amount(prices.most[currency]) },
    now: clock.now(),
  }
}

function typedIn({ body }: FastifyRequest): Typed {
  const fields = body instanceof Map ? (body as Map<string, string>) : new Map<string, string>()
  const field = (name: string) => fields.get(name) ?? ''
  return {
    amount: field('amount'),
    name: field('name'),
    message: field('message'),
    anonymous: field('anonymous') !== '',
  }
}

interface Beginning {
  campaign: Campaign
  typed: Typed
  reply: FastifyReply
}

/** Sends the browser to the checkout, or says why not. */
async function begin(
  { campaigns, prices }: PageDeps,
  { campaign, typed, reply }: Beginning,
): Promise<PageProblem | undefined> {
  const { id, currency } = campaign
  const tooLong =
    lengthProblem(typed.name, { most: nameMax, tidy: tidyLine }) ??
    lengthProblem(typed.message, { most: messageMax, tidy: tidyText })
  if (tooLong !== undefined) return 'text_long'
  const read = typedAmount(typed.amount, { currency, prices })
  if ('problem' in read) return read.problem
  try {
    const { pathname, search } = new URL(await campaigns.pledge({ ...typed, id, amount: read.amount }))
    // On the host that the page came from: a form must not lead elsewhere.
    reply.redirect(pathname + search, 303)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_state') return 'closed'
    throw error
  }
}

const picturesMost = 200

/** Drawing takes a while: the same picture is drawn once, and the last ones are kept. */
function keptPictures({ config }: PageDeps): (campaign: Campaign) => Promise<Buffer> {
  const pictures = recent<Promise<Buffer>>(picturesMost)
  return (campaign) => {
    const { id, title, raised, goal } = campaign
    const key = [id, title, raised.minor, goal.minor, pictureWidth, pictureHeight].join('\n')
    const drawn = pictures.get(key) ?? sharePicture(campaign, config.BRAND_NAME)
    pictures.set(key, drawn)
    return drawn
  }
}
