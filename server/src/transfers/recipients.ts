// Whom one may send to: a look at a handle, and the people one sent to lately.
import { AppError } from '../base/errors.ts'
import { currencyCodes } from '../base/money.ts'
import type { TransferDependencies } from './transfers.ts'

export async function lookUp({ users }: Pick<TransferDependencies, 'users'>, handle: string) {
  const person = await users.byHandle(handle)
  if (person === undefined)
    throw new AppError('not_found', { detail: 'Nobody has this handle. Check its spelling.' })
  return { handle: person.handle, name: person.name }
}

const linesRead = 50
const shown = 10

/** From the latest lines of each wallet; the latest first, everybody once, with the name they have now. */
export async function recent({ db, ledger, users }: TransferDependencies, userId: string) {
  const pages = await Promise.all(
    currencyCodes.map((currency) =>
      ledger.statement(db, {
        account: { kind: 'user', owner: userId, currency, mode: 'live' },
        limit: linesRead,
      }),
    ),
  )
  const lines = pages
    .flat()
    .filter(({ kind, amount }) => kind === 'transfer' && amount < 0n)
    .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
  const last = new Map<string, Date>()
  for (const { details, createdAt } of lines) {
    const { to } = details as { to: { id: string } }
    if (!last.has(to.id)) last.set(to.id, createdAt)
  }
  const people = await Promise.all(
    [...last].slice(0, shown).map(async ([id, at]) => ({ person: await users.person(id), at })),
  )
  return people.flatMap(({ person, at }) =>
    person === undefined
      ? []
      : [{ handle: person.handle, name: person.name, last_sent_at: at.toISOString() }],
  )
}
