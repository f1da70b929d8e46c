import { type FormEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Amount, readAmount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { Facts } from '../kit/facts.tsx'
import { AmountField, ChoiceField, LongTextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { say } from '../kit/toast.tsx'
import { common } from '../kit/words.ts'
import { client, useUser } from '../session.ts'
import { type Group, type Payout, useGroup, useId } from './data.ts'
import { groupWords } from './group-words.ts'
import { Tabs } from './parts.tsx'
import { payWords } from './pay-words.ts'
import { PayoutList } from './payout-list.tsx'
import './together.css'

const statuses: readonly Payout['status'][] = ['open', 'paid', 'cancelled', 'expired']

export const Payouts = () => {
  const t = useWords(payWords)
  const id = useId()
  const group = useGroup(id)
  const [search] = useSearchParams()
  const status = statuses.find((one) => one === search.get('status')) ?? 'open'
  return (
    <Page title={t.payouts} back={`/groups/${id}`}>
      <Tabs
        label={t.payouts}
        tabs={statuses.map((one) => ({
          href: one === 'open' ? `/groups/${id}/payouts` : `/groups/${id}/payouts?status=${one}`,
          text: t.statuses[one],
          here: one === status,
        }))}
      />
      <Loaded query={group} skeleton={<RowBones rows={3} />}>
        {(found) => <PayoutList group={found} status={status} />}
      </Loaded>
      <ButtonLink href={`/groups/${id}/payouts/new`} className="mt-6 w-full">
        {t.propose}
      </ButtonLink>
    </Page>
  )
}

export const NewPayout = () => {
  const t = useWords(payWords)
  const id = useId()
  return (
    <Page title={t.propose} back={`/groups/${id}/payouts`}>
      <p className="text-soft">{t.proposeText}</p>
      <Loaded query={useGroup(id)} skeleton={<RowBones rows={3} />}>
        {(group) => <ProposeForm group={group} />}
      </Loaded>
    </Page>
  )
}

const ProposeForm = ({ group }: { group: Group }) => {
  const t = useWords(payWords)
  const c = useWords(common)
  const g = useWords(groupWords)
  const user = useUser()
  const [, go] = useLocation()
  const [form, setForm] = useState({ to: user.handle, amount: '', reason: '' })
  const [wrong, setWrong] = useState(false)
  const { currency } = group
  const act = useAct({
    name: `group-${group.id}-propose`,
    run: (order: { to: string; amount: string; reason: string }, call) =>
      client.groups.proposePayout(group.id, order, call),
    onDone: ({ status }) => {
      say(status === 'paid' ? t.proposedPaid : t.proposed)
      go(`/groups/${group.id}/payouts`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amount = readAmount(form.amount, currency)
    setWrong(amount === undefined)
    if (amount !== undefined) void act.submit({ ...form, amount })
  }
  const errorOf = (field: string) => (act.state === 'refused' ? fieldError(act.error, field) : undefined)
  return (
    <form className="form" onSubmit={submit}>
      <Facts rows={[[g.inPot, <Amount key="pot" value={group.balance} currency={currency} />]]} />
      <ActNotice act={act} fields={['to', 'amount', 'reason']} />
      <ChoiceField
        label={t.to}
        error={errorOf('to')}
        value={form.to}
        onChange={(to) => setForm({ ...form, to })}
        options={(group.members ?? []).map(({ handle, name }) => ({
          value: handle,
          text: `${name} @${handle}`,
        }))}
      />
      <AmountField
        label={c.amount}
        error={wrong ? c.notAmount(currency) : errorOf('amount')}
        value={form.amount}
        onChange={(amount) => setForm({ ...form, amount })}
        currency={currency}
      />
      <LongTextField
        label={t.reason}
        hint={t.reasonHint}
        error={errorOf('reason')}
        value={form.reason}
        onChange={(reason) => setForm({ ...form, reason })}
        maxLength={280}
        rows={3}
        required
      />
      <Button type="submit" look="main" busy={act.state === 'busy'}>
        {t.send}
      </Button>
    </form>
  )
}
