// Giving to a campaign, and taking out of one's own what was raised.
import type { ContributeToCampaignBody, ContributeToCampaignData } from '@mfuko/sdk/browser'
import { type FormEvent, useState } from 'react'
import { type Act, useAct } from '../kit/act.ts'
import { Amount, readAmount, writeAmount } from '../kit/amount.tsx'
import { Button } from '../kit/button.tsx'
import { AmountField, CheckField, LongTextField } from '../kit/field.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { common } from '../kit/words.ts'
import { client, useUser } from '../session.ts'
import { campaignFormWords } from './campaign-form-words.ts'
import { campaignWords } from './campaign-words.ts'
import { type Campaign, useCampaign, useId } from './data.ts'
import { MoneyReceipt } from './money-receipt.tsx'
import { useFree, useShortage } from './parts.tsx'
import { Review } from './review.tsx'
import { together } from './words.ts'
import './together.css'

export const GiveToCampaign = () => {
  const t = useWords(campaignFormWords)
  const id = useId()
  const query = useCampaign(id)
  const [done, setDone] = useState<ContributeToCampaignData>()
  return (
    <Page title={t.giveTitle} back={`/campaigns/${id}`} hiddenTitle={done !== undefined}>
      {done === undefined ? (
        <Loaded query={query} skeleton={<RowBones rows={3} />}>
          {(campaign) => <Give campaign={campaign} onDone={setDone} />}
        </Loaded>
      ) : (
        <Given done={done} />
      )}
    </Page>
  )
}

type Order = ContributeToCampaignBody

interface GiveProps {
  campaign: Campaign
  onDone: (done: ContributeToCampaignData) => void
}

const Give = ({ campaign, onDone }: GiveProps) => {
  const t = useWords(campaignFormWords)
  const c = useWords(common)
  const { id, currency } = campaign
  const [form, setForm] = useState({ amount: '', message: '', anonymous: false })
  const [wrong, setWrong] = useState(false)
  const [order, setOrder] = useState<Omit<Order, 'pin'>>()
  const act = useAct({
    name: `campaign-${id}-contribute`,
    run: (given: Order, call) => client.campaigns.contribute(id, given, call),
    onDone,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amount = readAmount(form.amount, currency)
    setWrong(amount === undefined)
    if (amount === undefined) return
    const { anonymous, message } = form
    setOrder({ amount, anonymous, ...(message.trim() === '' ? {} : { message }) })
  }
  if (order !== undefined)
    return <GiveReview {...{ campaign, act, order }} onBack={() => setOrder(undefined)} />
  return (
    <>
      <p className="together-lead">{campaign.title}</p>
      <form className="form" onSubmit={submit}>
        <AmountField
          label={c.amount}
          error={wrong ? c.notAmount(currency) : undefined}
          value={form.amount}
          onChange={(amount) => setForm({ ...form, amount })}
          currency={currency}
          autoFocus
        />
        <LongTextField
          label={t.message}
          hint={t.messageHint}
          value={form.message}
          onChange={(message) => setForm({ ...form, message })}
          maxLength={200}
          rows={2}
          optional
        />
        <CheckField
          label={t.anonymous}
          hint={t.anonymousHint}
          checked={form.anonymous}
          onChange={(anonymous) => setForm({ ...form, anonymous })}
        />
        <Button type="submit" look="main">
          {c.next}
        </Button>
      </form>
    </>
  )
}

interface ReviewProps {
  campaign: Campaign
  act: Act<Order>
  order: Omit<Order, 'pin'>
  onBack: () => void
}

const GiveReview = ({ campaign, act, order, onBack }: ReviewProps) => {
  const t = useWords(campaignFormWords)
  const w = useWords(together)
  const c = useWords(common)
  const cw = useWords(campaignWords)
  const language = useLanguage()
  const user = useUser()
  const { currency } = campaign
  const free = useFree(currency)
  const money = <Amount value={order.amount} currency={currency} />
  return (
    <Review
      act={act}
      text={t.give(writeAmount(order.amount, currency, language))}
      onPin={(pin) => void act.submit({ ...order, pin })}
      currency={currency}
      shortage={useShortage(currency, order.amount)}
      onBack={onBack}
      rows={[
        [t.campaign, campaign.title],
        [w.to, `${campaign.owner.name} @${campaign.owner.handle}`],
        [c.amount, <strong key="amount">{money}</strong>],
        [c.fee, w.free],
        [t.arrives, money],
        [t.message, order.message],
        [t.shownAs, order.anonymous ? cw.anonymousName : user.name],
        [w.from, w.walletOf(currency)],
        [w.balanceNow, free == null ? undefined : <Amount key="free" value={free} currency={currency} />],
      ]}
    />
  )
}

const Given = ({ done }: { done: ContributeToCampaignData }) => {
  const t = useWords(campaignFormWords)
  const w = useWords(together)
  const cw = useWords(campaignWords)
  const user = useUser()
  const { currency } = done
  const free = useFree(currency)
  return (
    <MoneyReceipt
      title={t.given(done.campaign.title)}
      amount={done.amount}
      currency={currency}
      reference={done.reference}
      rows={[
        [t.message, done.message],
        [t.shownAs, done.anonymous ? cw.anonymousName : user.name],
        [w.balanceNow, free == null ? undefined : <Amount key="free" value={free} currency={currency} />],
      ]}
      done={{ href: `/campaigns/${done.campaign.id}`, text: t.back }}
    />
  )
}
