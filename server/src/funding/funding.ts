// Deposits and withdrawals by providers, and money that could be matched with nobody. What must stay true: the order to the
// provider is written with what it belongs to, before anything is sent; money moves once, in the transaction that ends
// the operation, whoever ends it; and what the provider has is in the ledger's clearing account of that provider.
import type { Posting } from '../ledger/ledger.ts'
import type { Operation } from '../operations/operations.ts'
import type { HistorySource } from '../transactions/transactions.ts'
import { type DepositAsked, depositProblems, endDeposit, initiate } from './deposits.ts'
import { openHistory } from './history.ts'
import { type Matching, match } from './matching/matching.ts'
import type { DifferenceRow, MatchesPage, MatchRow } from './matching/sql.ts'
import * as matches from './matching/sql.ts'
import { type Answered, type FundingOptions, methodProblems, type OrderAsked } from './room.ts'
import type { OrderKind } from './rules.ts'
import * as sql from './sql.ts'
import * as unmatched from './unmatched.ts'
import { endWithdrawal, previewWithdrawal, type WithdrawalAsked, withdraw } from './withdrawals.ts'

export type { DepositAsked } from './deposits.ts'
export type { Matching } from './matching/matching.ts'
export { type DifferenceKind, differenceKinds } from './matching/rules.ts'
export type { DifferenceRow, MatchesPage, MatchRow } from './matching/sql.ts'
export type { Answered, FundingOptions, OrderAsked } from './room.ts'
export { type UnmatchedStatus, unmatchedStatuses, type Why, wasToLeave, whys } from './rules.ts'
export type { Became, UnmatchedPage, UnmatchedRow } from './sql.ts'
export { type Decider, lockOpen, matchedRow, type NotTaken, noSuchMoney } from './unmatched.ts'
export type { WithdrawalAsked } from './withdrawals.ts'

export interface Problematic {
  kind: OrderKind
  userId: string
  asked: Omit<OrderAsked, 'amount'>
}

export interface Funding {
  deposit(asked: DepositAsked): Promise<Answered>
  /** What is wrong with an order that has another wrong field too: what the method needs, and does not serve. */
  problems(order: Problematic): Promise<Record<string, string>>
  withdraw(asked: WithdrawalAsked): Promise<Answered>
  previewWithdrawal(asked: Pick<WithdrawalAsked, 'userId' | 'asked'>): ReturnType<typeof previewWithdrawal>
  /** What the ledger does not know of, for the history of people. */
  history: HistorySource
  /** Whose deposit or withdrawal it is. */
  ownerOf(number: bigint): Promise<string | undefined>
  /** For a room that can not take what a provider confirmed: submitted, it ends the operation too. */
  unmatchedPosting(found: unmatched.NotTaken): Posting
  /** Of the money that came for a payment, by its reference, and could not be taken. */
  becameOf(payment: string): Promise<sql.Became | undefined>
  listUnmatched(page: sql.UnmatchedPage): Promise<sql.UnmatchedRow[]>
  seeUnmatched(id: string): Promise<sql.UnmatchedRow | undefined>
  matchToWallet(match: { id: string; user: string; decider: unmatched.Decider }): Promise<void>
  giveBack(what: { id: string; decider?: unmatched.Decider }): Promise<Operation>
  /** Begins to give back what nobody has matched in 24 hours. Returns how many. */
  returnDue(): Promise<number>
  /** Compares a provider's day with our books, and mends what is sure. Returns the id of the report. */
  match(matching: Matching): Promise<string>
  /** All providers in both modes. Returns the ids of the reports; throws afterwards when some could not be compared. */
  matchAll(day: string): Promise<string[]>
  listMatches(page: MatchesPage): Promise<MatchRow[]>
  seeMatch(id: string): Promise<{ match: MatchRow; differences: DifferenceRow[] } | undefined>
  /** Until what was begun after an answer is done. */
  idle(): Promise<void>
}

export function openFunding(options: FundingOptions): Funding {
  const { db, operations, log } = options
  operations.onEnd('deposit', (operation, outcome, of) =>
    endDeposit({ ...options, db: of }, operation, outcome),
  )
  operations.onEnd('withdrawal', (operation, outcome, of) =>
    endWithdrawal({ ...options, db: of }, operation, outcome),
  )
  operations.onEnd('return', (operation, outcome, of) =>
    unmatched.endReturn({ ...options, db: of }, operation, outcome),
  )
  operations.onCameBack((operation, of) => unmatched.keepCameBack({ ...options, db: of }, operation))
  const starting = new Set<Promise<unknown>>()
  /** Nobody waits for the provider; if this process dies first, another one starts it. */
  const startSoon = (id: string) => {
    const started = operations
      .start(id)
      .catch((error: unknown) =>
        log.warn({ err: error, operation: id }, 'an operation could not be started yet'),
      )
      .finally(() => starting.delete(started))
    starting.add(started)
  }
  return {
    deposit: (asked) => initiate(options, asked),
    problems: ({ kind, ...order }) =>
      kind === 'deposit' ? depositProblems(options, order) : methodProblems(options, { ...order, kind }),
    withdraw: (asked) => withdraw(options, asked, startSoon),
    previewWithdrawal: (asked) => previewWithdrawal(options, asked),
    history: openHistory(options),
    ownerOf: async (number) => (await sql.readOrder(db, number))?.user_id,
    unmatchedPosting: (found) => unmatched.unmatchedPosting(options, found),
    becameOf: async (payment) => (await sql.becameOf(db, payment))?.became,
    listUnmatched: (page) => sql.listUnmatched(db, page),
    seeUnmatched: (id) => sql.readUnmatched(db, id),
    matchToWallet: (match) => unmatched.matchToWallet(options, match),
    giveBack: (what) => unmatched.giveBack(options, what),
    returnDue: () => unmatched.returnDue(options),
    ...matching(options),
    idle: async () => {
      await Promise.allSettled(starting)
    },
  }
}

const modes = ['live', 'test'] as const

function matching(options: FundingOptions): Pick<Funding, 'match' | 'matchAll' | 'listMatches' | 'seeMatch'> {
  const { db, operations } = options
  return {
    match: (wanted) => match(options, wanted),
    matchAll: async (day) => {
      const found: string[] = []
      const problems: unknown[] = []
      for (const mode of modes) {
        for (const provider of (await operations.health(mode)).keys()) {
          // One that does not answer keeps no other from being compared.
          await match(options, { provider, mode, day }).then(
            (id) => found.push(id),
            (error: unknown) => problems.push(error),
          )
        }
      }
      if (problems.length > 0)
        throw new AggregateError(problems, `${problems.length} providers could not be compared`)
      return found
    },
    listMatches: (page) => matches.listMatches(db, page),
    seeMatch: async (id) => {
      const row = await matches.readMatch(db, id)
      return row && { match: row, differences: await matches.readDifferences(db, id) }
    },
  }
}
