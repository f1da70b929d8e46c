// Paying into a group: what is due in a rotating one, what one likes in one with a goal, or what is owed from before.
import type { ContributeToGroupBody, ContributeToGroupData } from '@mfuko/sdk/browser'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { type Act, useAct } from '../kit/act.ts'
import { Amount, readAmount, writeAmount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { AmountField, ChoiceField, TextField } from '../kit/field.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Empty, Loaded, RowBones } from '../kit/loaded.tsx'
import { Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { common } from '../kit/words.ts'
import { client, type User, useUser } from '../session.ts'
import { type Group, sameAs, useGroup, useId } from './data.ts'
import { MoneyReceipt } from './money-receipt.tsx'
import { useFree, useShortage } from './parts.tsx'
import { payWords } from './pay-words.ts'
import { Review } from './review.tsx'
import { sumOf } from './sums.ts'
import { together } from './words.ts'
import './together.css'

export const Contribute = () => {
  const t = useWords(payWords)
  const id = useId()
  const query = useGroup(id)
  const [done, setDone] = useState<ContributeToGroupData>()
  const group = query.data
  const title =
    group === undefined
      ? t.payTitle('')
      : group.kind === 'goal'
        ? t.giveTitle(group.name)
        : t.payTitle(group.name)
  return (
    <Page title={title} back={`/groups/${id}`} hiddenTitle={done !== undefined}>
      {done !== undefined ? (
        <Paid done={done} />
      ) : (
        <Loaded query={query} skeleton={<RowBones rows={4} />}>
          {(found) =>
            found.kind === 'goal' ? (
              <Give group={found} onDone={setDone} />
            ) : (
              <PayDue group={found} onDone={setDone} />
            )
          }
        </Loaded>
      )}
    </Page>
  )
}

type Order = ContributeToGroupBody
interface PartProps {
  group: Group
  onDone: (done: ContributeToGroupData) => void
}

const useContribution = ({ group, onDone }: PartProps): Act<Order> =>
  useAct({
    name: `group-${group.id}-contribute`,
    run: (order: Order, call) => client.groups.contribute(group.id, order, call),
    onDone,
  })

/** Of who pays for oneself or another member: a turn, or what is owed. */
interface Due {
  key: string
  handle: string
  name: string
  toward: 'cycle' | 'debts'
  amount: string
  /** May be less, or is not known exactly. */
  open: boolean
}

/** Everything that could be paid now, one's own first. */
function duesOf(group: Group, user: User): Due[] {
  const { cycle, currency, members = [], debts = [] } = group
  const late = cycle?.late ? (group.late_fine ?? 0) : 0
  const turns = members
    .filter((member) => member.has_paid === false)
    .map(({ handle, name }): Due => {
      const isOwn = handle === user.handle
      const exact = isOwn ? cycle?.your_due : undefined
      const amount = exact == null ? sumOf([group.contribution_amount ?? 0, late], currency) : String(exact)
      // The fine of a round is the one it began with: of others only the service knows it.
      return {
        key: `cycle ${handle}`,
        handle,
        name,
        toward: 'cycle',
        amount,
        open: exact == null && late > 0,
      }
    })
  const debtors = members.filter((member) => debts.some(({ from }) => sameAs(member)(from)))
  const owed = debtors.map((member): Due => {
    const parts = debts.filter(({ from }) => sameAs(member)(from)).map(({ amount }) => amount)
    const { handle, name } = member
    return {
      key: `debts ${handle}`,
      handle,
      name,
      toward: 'debts',
      amount: sumOf(parts, currency),
      open: true,
    }
  })
  const isOwn = ({ handle }: Due) => handle === user.handle
  const all = [...turns, ...owed]
  return [...all.filter(isOwn), ...all.filter((due) => !isOwn(due))]
}

/**
 * One's own unless the address names somebody: when another member pays it in this very moment, the page must not go on
 * to somebody else by itself.
 */
const PayDue = ({ group, onDone }: PartProps) => {
  const t = useWords(payWords)
  const user = useUser()
  const [search, setSearch] = useSearchParams()
  const dues = duesOf(group, user)
  const wanted = `${search.get('toward') === 'debts' ? 'debts' : 'cycle'} ${search.get('for') ?? user.handle}`
  const shown = dues.find(({ key, handle }) => (search.size === 0 ? handle === user.handle : key === wanted))
  const nameOf = (one: Due) => {
    const who = one.handle === user.handle ? t.myself : `${one.name} @${one.handle}`
    return one.toward === 'debts' ? `${who}: ${t.debts}` : who
  }
  const choose = (key: string) => {
    const [toward = '', handle = ''] = key.split(' ')
    setSearch({ for: handle, toward }, { replace: true })
  }
  const isChoice = dues.some((one) => one !== shown) || (shown !== undefined && shown.handle !== user.handle)
  return (
    <>
      {shown === undefined && (
        <Empty
          title={t.nothingDue}
          action={<ButtonLink href={`/groups/${group.id}`}>{t.backToGroup}</ButtonLink>}
        >
          {group.cycle === null ? t.noRoundText : t.nothingDueText}
        </Empty>
      )}
      {isChoice && (
        <div className={shown === undefined ? 'mt-6' : ''}>
          <ChoiceField
            label={t.forWhom}
            value={shown?.key ?? ''}
            onChange={choose}
            options={[
              ...(shown === undefined ? [{ value: '', text: t.chooseMember }] : []),
              ...dues.map((one) => ({ value: one.key, text: nameOf(one) })),
            ]}
          />
        </div>
      )}
      {shown !== undefined && <DueForm key={shown.key} group={group} due={shown} onDone={onDone} />}
    </>
  )
}

const DueForm = ({ group, due, onDone }: PartProps & { due: Due }) => {
  const t = useWords(payWords)
  const c = useWords(common)
  const user = useUser()
  const language = useLanguage()
  const act = useContribution({ group, onDone })
  const [typed, setTyped] = useState(due.amount)
  const [note, setNote] = useState('')
  const { currency, cycle } = group
  const amount = due.open ? readAmount(typed, currency) : due.amount
  const isForOther = due.handle !== user.handle
  const order = {
    ...{ amount: amount ?? '', toward: due.toward },
    ...(note.trim() === '' ? {} : { note }),
    ...(isForOther ? { on_behalf_of: due.handle } : {}),
  }
  const unpaid = (group.members ?? []).filter((member) => member.has_paid === false)
  const next = cycle?.next_payout_to
  const isLast = due.toward === 'cycle' && unpaid.length === 1 && next != null
  return (
    <div className="form">
      {due.open && (
        <AmountField
          label={c.amount}
          hint={due.toward === 'debts' ? t.owedMost(writeAmount(due.amount, currency, language)) : undefined}
          error={amount === undefined ? c.notAmount(currency) : refusalOf(act, 'amount')}
          value={typed}
          onChange={setTyped}
          currency={currency}
        />
      )}
      <TextField label={c.note} hint={t.noteHint} value={note} onChange={setNote} maxLength={140} optional />
      {isLast && <Notice>{next.handle === user.handle ? t.lastOneYou : t.lastOne(next.name)}</Notice>}
      <GroupReview
        {...{ group, act, order }}
        rows={[
          [t.what, due.toward === 'debts' ? t.debts : t.turnOf(cycle?.number ?? 0)],
          [t.forWhom, isForOther ? due.name : t.myself],
        ]}
      />
    </div>
  )
}

const refusalOf = (act: Act<Order>, field: string): string | undefined =>
  act.state === 'refused' ? fieldError(act.error, field) : undefined

const Give = ({ group, onDone }: PartProps) => {
  const t = useWords(payWords)
  const c = useWords(common)
  const language = useLanguage()
  const act = useContribution({ group, onDone })
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const [wrong, setWrong] = useState(false)
  const [order, setOrder] = useState<Omit<Order, 'pin'>>()
  const { currency, contribution_amount: least } = group
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    const amount = readAmount(typed, currency)
    setWrong(amount === undefined)
    if (amount !== undefined) setOrder({ amount, ...(note.trim() === '' ? {} : { note }) })
  }
  if (order !== undefined)
    return (
      <GroupReview
        {...{ group, act, order }}
        onBack={() => setOrder(undefined)}
        rows={[[c.note, order.note]]}
      />
    )
  return (
    <form className="form" onSubmit={submit}>
      <AmountField
        label={c.amount}
        hint={least === null ? undefined : t.leastHint(writeAmount(least, currency, language))}
        error={wrong ? c.notAmount(currency) : undefined}
        value={typed}
        onChange={setTyped}
        currency={currency}
        autoFocus
      />
      <TextField label={c.note} hint={t.noteHint} value={note} onChange={setNote} maxLength={140} optional />
      <Button type="submit" look="main">
        {c.next}
      </Button>
    </form>
  )
}

interface ReviewProps {
  group: Group
  act: Act<Order>
  order: Omit<Order, 'pin'>
  rows: readonly (readonly [string, React.ReactNode])[]
  onBack?: () => void
}

const GroupReview = ({ group, act, order, rows, onBack }: ReviewProps) => {
  const t = useWords(payWords)
  const w = useWords(together)
  const c = useWords(common)
  const language = useLanguage()
  const { currency } = group
  const { amount } = order
  const free = useFree(currency)
  const shortage = useShortage(currency, amount === '' ? undefined : amount)
  const money = <Amount value={amount === '' ? 0 : amount} currency={currency} />
  return (
    <Review
      act={act}
      text={t.pay(writeAmount(amount === '' ? 0 : amount, currency, language))}
      onPin={(pin) => void act.submit({ ...order, pin })}
      currency={currency}
      shortage={shortage}
      onBack={onBack}
      rows={[
        [t.group, group.name],
        ...rows,
        [c.amount, <strong key="amount">{money}</strong>],
        [c.fee, w.free],
        [t.arrives, money],
        [w.from, w.walletOf(currency)],
        [w.balanceNow, free == null ? undefined : <Amount key="free" value={free} currency={currency} />],
      ]}
    />
  )
}

const Paid = ({ done }: { done: ContributeToGroupData }) => {
  const t = useWords(payWords)
  const w = useWords(together)
  const user = useUser()
  const { currency, payout } = done
  const free = useFree(currency)
  return (
    <MoneyReceipt
      title={t.paid(done.group.name)}
      amount={done.amount}
      currency={currency}
      reference={done.reference}
      rows={[
        [t.forWhom, done.member.handle === user.handle ? undefined : done.member.name],
        [t.what, done.toward === 'debts' ? t.debts : done.cycle === null ? undefined : t.turnOf(done.cycle)],
        [t.fine, done.fine > 0 ? <Amount key="fine" value={done.fine} currency={currency} /> : undefined],
        [t.inPot, <Amount key="pot" value={done.balance} currency={currency} />],
        [w.balanceNow, free == null ? undefined : <Amount key="free" value={free} currency={currency} />],
      ]}
      done={{ href: `/groups/${done.group.id}`, text: t.backToGroup }}
    >
      {payout !== null && (
        <Notice kind="good">
          {payout.to.handle === user.handle ? t.potWentYou : t.potWent(payout.to.name)}{' '}
          <Amount value={payout.amount} currency={currency} />
        </Notice>
      )}
    </MoneyReceipt>
  )
}
