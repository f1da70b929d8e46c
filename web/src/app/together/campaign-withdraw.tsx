import type { PreviewCampaignWithdrawalData, WithdrawFromCampaignData } from '@mfuko/sdk/browser'
import { type FormEvent, useState } from 'react'
import { useAct } from '../kit/act.ts'
import { Amount, readAmount, writeAmount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { AmountField } from '../kit/field.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Empty, Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { common } from '../kit/words.ts'
import { client } from '../session.ts'
import { campaignFormWords } from './campaign-form-words.ts'
import { type Campaign, useCampaign, useId } from './data.ts'
import { MoneyReceipt } from './money-receipt.tsx'
import { useFree } from './parts.tsx'
import { Review } from './review.tsx'
import { together } from './words.ts'
import './together.css'

/** By its owner: how much, then what it costs and what arrives, then the PIN. */
export const WithdrawFromCampaign = () => {
  const t = useWords(campaignFormWords)
  const id = useId()
  const query = useCampaign(id)
  const [done, setDone] = useState<WithdrawFromCampaignData>()
  return (
    <Page title={t.outTitle} back={`/campaigns/${id}`} hiddenTitle={done !== undefined}>
      <Loaded query={query} skeleton={<RowBones rows={3} />}>
        {(campaign) =>
          done !== undefined ? (
            <TakenOut campaign={campaign} done={done} />
          ) : (
            <TakeOut campaign={campaign} onDone={setDone} />
          )
        }
      </Loaded>
    </Page>
  )
}

interface Props {
  campaign: Campaign
  onDone: (done: WithdrawFromCampaignData) => void
}

const TakeOut = ({ campaign, onDone }: Props) => {
  const t = useWords(campaignFormWords)
  const [terms, setTerms] = useState<PreviewCampaignWithdrawalData>()
  const { id, balance = 0 } = campaign
  if (balance === 0)
    return (
      <Empty title={t.nothing} action={<ButtonLink href={`/campaigns/${id}`}>{t.back}</ButtonLink>}>
        {t.nothingText}
      </Empty>
    )
  if (terms !== undefined)
    return <OutReview campaign={campaign} terms={terms} onDone={onDone} onBack={() => setTerms(undefined)} />
  return <OutForm campaign={campaign} onTerms={setTerms} />
}

interface FormProps {
  campaign: Campaign
  onTerms: (terms: PreviewCampaignWithdrawalData) => void
}

const OutForm = ({ campaign, onTerms }: FormProps) => {
  const t = useWords(campaignFormWords)
  const c = useWords(common)
  const language = useLanguage()
  const { id, currency, balance = 0 } = campaign
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const act = useAct({
    name: `campaign-${id}-terms`,
    run: async (order: { amount: string }) =>
      (await client.request('POST /api/campaigns/:id/withdraw/preview', { params: { id }, body: order }))
        .data,
    onDone: onTerms,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amount = readAmount(typed, currency)
    setWrong(amount === undefined)
    if (amount !== undefined) void act.submit({ amount })
  }
  return (
    <>
      <p className="text-soft">{t.outText}</p>
      <form className="form" onSubmit={submit}>
        <ActNotice act={act} fields={['amount']} />
        <AmountField
          label={c.amount}
          hint={t.mostHint(writeAmount(balance, currency, language))}
          error={
            wrong
              ? c.notAmount(currency)
              : act.state === 'refused'
                ? fieldError(act.error, 'amount')
                : undefined
          }
          value={typed}
          onChange={setTyped}
          currency={currency}
          autoFocus
        />
        <Button look="quiet" onClick={() => setTyped(String(balance))}>
          {t.all}
        </Button>
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {c.next}
        </Button>
      </form>
    </>
  )
}

interface ReviewProps extends Props {
  terms: PreviewCampaignWithdrawalData
  onBack: () => void
}

const OutReview = ({ campaign, terms, onDone, onBack }: ReviewProps) => {
  const t = useWords(campaignFormWords)
  const w = useWords(together)
  const c = useWords(common)
  const language = useLanguage()
  const { id, title } = campaign
  const { currency } = terms
  const act = useAct({
    name: `campaign-${id}-withdraw`,
    run: (order: { amount: string; pin: string }, call) => client.campaigns.withdraw(id, order, call),
    onDone,
  })
  const amount = String(terms.amount)
  return (
    <Review
      act={act}
      text={t.out(writeAmount(amount, currency, language))}
      onPin={(pin) => void act.submit({ amount, pin })}
      currency={currency}
      onBack={onBack}
      rows={[
        [t.campaign, title],
        [t.leaves, <Amount key="amount" value={terms.amount} currency={currency} />],
        [c.fee, <Amount key="fee" value={terms.fee} currency={currency} />],
        [
          t.youGet,
          <strong key="gets">
            <Amount value={terms.owner_gets} currency={currency} />
          </strong>,
        ],
        [w.to, w.walletOf(currency)],
      ]}
    />
  )
}

const TakenOut = ({ campaign, done }: { campaign: Campaign; done: WithdrawFromCampaignData }) => {
  const t = useWords(campaignFormWords)
  const w = useWords(together)
  const c = useWords(common)
  const { currency } = done
  const free = useFree(currency)
  return (
    <MoneyReceipt
      title={t.outDone(campaign.title)}
      amount={done.owner_gets}
      currency={currency}
      reference={done.reference}
      rows={[
        [t.leaves, <Amount key="amount" value={done.amount} currency={currency} />],
        [c.fee, <Amount key="fee" value={done.fee} currency={currency} />],
        [w.balanceNow, free == null ? undefined : <Amount key="free" value={free} currency={currency} />],
      ]}
      done={{ href: `/campaigns/${campaign.id}`, text: t.back }}
    />
  )
}
