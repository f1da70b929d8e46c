// What only the owner of a campaign sees on its page.
import { type FormEvent, useState } from 'react'
import { useAct } from '../kit/act.ts'
import { Amount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { fieldError } from '../kit/errors.ts'
import { Facts } from '../kit/facts.tsx'
import { LongTextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { ActNotice } from '../kit/notice.tsx'
import { say } from '../kit/toast.tsx'
import { client } from '../session.ts'
import { campaignWords } from './campaign-words.ts'
import type { Campaign } from './data.ts'

export const OwnerPart = ({ campaign }: { campaign: Campaign }) => {
  const t = useWords(campaignWords)
  const { id, currency, balance = 0, withdrawn_amount: withdrawn = 0 } = campaign
  const isHeld = campaign.paused !== null || campaign.returned !== null
  return (
    <section className="together-panel" aria-labelledby="yours">
      <h2 id="yours" className="section-title">
        {t.yours}
      </h2>
      <Facts
        rows={[
          [t.inAccount, <Amount key="in" value={balance} currency={currency} className="font-bold" />],
          [t.takenOut, <Amount key="out" value={withdrawn} currency={currency} />],
        ]}
      />
      {balance > 0 && !isHeld && (
        <ButtonLink href={`/campaigns/${id}/withdraw`} look="main">
          {t.takeOut}
        </ButtonLink>
      )}
      {campaign.returned === null && (
        <>
          <ButtonLink href={`/campaigns/${id}/edit`}>{t.edit}</ButtonLink>
          <News campaign={campaign} />
          {campaign.status === 'active' && <End campaign={campaign} />}
        </>
      )}
    </section>
  )
}

const News = ({ campaign }: { campaign: Campaign }) => {
  const t = useWords(campaignWords)
  const [text, setText] = useState('')
  const act = useAct({
    name: `campaign-${campaign.id}-news`,
    run: (order: { text: string }) =>
      client.request('POST /api/campaigns/:id/updates', { params: { id: campaign.id }, body: order }),
    onDone: () => {
      setText('')
      say(t.published)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act.submit({ text })
  }
  return (
    <details className="together-more">
      <summary>{t.tellNews}</summary>
      <form className="form" onSubmit={submit}>
        <ActNotice act={act} fields={['text']} />
        <LongTextField
          label={t.newsText}
          hint={t.newsHint}
          error={act.state === 'refused' ? fieldError(act.error, 'text') : undefined}
          value={text}
          onChange={setText}
          maxLength={1_000}
          required
        />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {t.publish}
        </Button>
      </form>
    </details>
  )
}

const End = ({ campaign }: { campaign: Campaign }) => {
  const t = useWords(campaignWords)
  const [open, setOpen] = useState(false)
  const act = useAct({
    name: `campaign-${campaign.id}-end`,
    run: () => client.request('POST /api/campaigns/:id/end', { params: { id: campaign.id } }),
    onDone: () => {
      setOpen(false)
      say(t.endDone)
    },
  })
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        {t.end}
      </Button>
      <Confirm
        title={t.end}
        open={open}
        onClose={() => setOpen(false)}
        act={t.end}
        danger
        busy={act.state === 'busy'}
        onConfirm={() => void act.submit({})}
      >
        <ActNotice act={act} />
        {t.endText}
      </Confirm>
    </>
  )
}
