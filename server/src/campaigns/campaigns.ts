// People raise money for something, in the open. What must stay true: what a campaign shows is what the ledger holds,
// because the totals change with the rows, and the rows with the money; nobody contributes to what has ended or is
// paused; only its owner takes money out; and what an operator gives back goes to each contributor once.
import { newId } from '../base/ids.ts'
import type { AlsoRow, Posted } from '../ledger/ledger.ts'
import { type Answered, contribute, contributionProblem, type Giving } from './giving.ts'
import * as money from './money/sql.ts'
import { type Pledge, pledge } from './pledging.ts'
import { type Deciding, giveBack, pause, resume, returnDue, returnMoney } from './returning.ts'
import { type CampaignOptions, campaignOf, findCampaign } from './room.ts'
import type { Campaign } from './rules.ts'
import * as sql from './sql.ts'
import { previewWithdrawal, type Withdrawing, withdraw } from './withdrawing.ts'
import {
  addUpdate,
  type Beginning,
  type CampaignChange,
  create,
  createOnce,
  edit,
  end,
  endDue,
  type Owned,
  type RepeatableBeginning,
} from './writing.ts'

export type { Answered, Giving } from './giving.ts'
export type { ReturnCount } from './money/sql.ts'
export type { Pledge } from './pledging.ts'
export type { CampaignCheckout, CampaignOptions, CheckoutAsked, CheckoutRefund } from './room.ts'
export type { Campaign } from './rules.ts'
export type { ContributionRow, UpdateRow } from './sql.ts'
export type { CampaignChange, NewCampaign } from './writing.ts'

export interface Campaigns {
  create(beginning: Beginning): Promise<Campaign>
  /** One, however often the request is repeated. */
  createOnce(beginning: RepeatableBeginning): Promise<Answered>
  edit(edited: Owned & { change: CampaignChange }): Promise<Campaign>
  end(owned: Owned): Promise<Campaign>
  addUpdate(update: Owned & { text: string }): Promise<sql.UpdateRow>
  find(id: string): Promise<Campaign | undefined>
  /** Those that take contributions. */
  browse(browsing: Omit<sql.Browsing, 'now'>): Promise<Campaign[]>
  /** The newest first. */
  ofOwner(page: Parameters<typeof sql.listOf>[1]): Promise<Campaign[]>
  all(page: Omit<Parameters<typeof sql.listAll>[1], 'now'>): Promise<Campaign[]>
  updates(page: Parameters<typeof sql.listUpdates>[1]): Promise<sql.UpdateRow[]>
  contributions(page: Parameters<typeof sql.listContributions>[1]): Promise<sql.ContributionRow[]>
  /** Can somebody contribute to it now? */
  isOpen(campaign: Campaign): Promise<boolean>
  contribute(giving: Giving): Promise<Answered>
  /** Without an account: the address of a checkout. */
  pledge(pledge: Pledge): Promise<string>
  withdraw(withdrawing: Withdrawing): Promise<Answered>
  previewWithdrawal(asked: Parameters<typeof previewWithdrawal>[1]): ReturnType<typeof previewWithdrawal>
  pause(deciding: Deciding & { reason: string }): Promise<Campaign>
  resume(deciding: Deciding): Promise<Campaign>
  giveBack(deciding: Deciding & { reason: string }): Promise<Campaign>
  /** How far giving back has come. */
  returnsOf(id: string): Promise<money.ReturnCount[]>
  endDue(): Promise<number>
  returnMoney(returning: { id: string; signal?: AbortSignal | undefined }): Promise<number>
  returnDue(signal?: AbortSignal): Promise<number>
  /** Forgets what was said with contributions that were never paid. */
  sweep(): Promise<number>
}

export function openCampaigns(options: CampaignOptions): Campaigns {
  const { db, clock } = options
  const shaped = async (rows: Promise<sql.CampaignRow[]>) => (await rows).map(campaignOf)
  return {
    create: (beginning) => create(options, beginning),
    createOnce: (beginning) => createOnce(options, beginning),
    edit: (edited) => edit(options, edited),
    end: (owned) => end(options, owned),
    addUpdate: (update) => addUpdate(options, update),
    find: (id) => findCampaign(db, id),
    browse: (browsing) => shaped(sql.browse(db, { ...browsing, now: clock.now() })),
    ofOwner: (page) => shaped(sql.listOf(db, page)),
    all: (page) => shaped(sql.listAll(db, { ...page, now: clock.now() })),
    updates: (page) => sql.listUpdates(db, page),
    contributions: (page) => sql.listContributions(db, page),
    isOpen: async (campaign) => (await contributionProblem(options, campaign)) === undefined,
    contribute: (giving) => contribute(options, giving),
    pledge: (wanted) => pledge(options, wanted),
    withdraw: (withdrawing) => withdraw(options, withdrawing),
    previewWithdrawal: (asked) => previewWithdrawal(options, asked),
    pause: (deciding) => pause(options, deciding),
    resume: (deciding) => resume(options, deciding),
    giveBack: (deciding) => giveBack(options, deciding),
    returnsOf: (id) => money.countReturns(db, id),
    endDue: () => endDue(options),
    returnMoney: (returning) => returnMoney(options, returning),
    returnDue: (signal) => returnDue(options, signal),
    sweep: () => sweep(options),
  }
}

/** A provider may confirm what was given up long ago. */
const pledgeDays = 90
const sweptMost = 1_000
const bitesMax = 1_000

async function sweep({ db, clock }: CampaignOptions): Promise<number> {
  const before = new Date(clock.now().getTime() - pledgeDays * 86_400_000)
  let swept = 0
  for (let bites = 0; bites < bitesMax; bites++) {
    const rows = await sql.sweepPledges(db, { before, most: sweptMost })
    swept += rows.length
    if (rows.length < sweptMost) break
  }
  return swept
}

export interface CheckoutContribution {
  campaign: string
  payment: bigint
  amount: bigint
  /** Who paid from a wallet there. */
  payer: string | undefined
  posted: Posted
}

/** For the room of payments: a payment to a campaign has been made. Refused while the campaign can't take it. */
export const contributionRow = ({
  campaign,
  payment,
  amount,
  payer,
  posted,
}: CheckoutContribution): AlsoRow => ({
  statement: money.checkoutStatement,
  values: [newId('cct'), campaign, payer ?? null, payment, amount, posted.id, posted.createdAt],
})

/** For the room of payments: so much of a payment to a campaign has gone back. */
export const returnedRow = (
  payment: bigint,
  { moved, posted }: { moved: bigint; posted: Posted },
): AlsoRow => ({
  statement: money.paymentReturnedStatement,
  values: [payment, moved, posted.id, posted.createdAt],
})

/** The same: it could not go back. */
export const notReturnedRow = (payment: bigint, problem: string): AlsoRow => ({
  statement: money.paymentNotReturnedStatement,
  values: [payment, problem],
})
