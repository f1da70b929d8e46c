// Beginning a campaign, and changing what it says.
import type { ChangeCampaignBody, CreateCampaignBody } from '@mfuko/sdk/browser'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { type Act, useAct } from '../kit/act.ts'
import { type Currency, readAmount } from '../kit/amount.tsx'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { AmountField, ChoiceField, LongTextField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { say } from '../kit/toast.tsx'
import { common } from '../kit/words.ts'
import { useWallets } from '../people/data.ts'
import { client } from '../session.ts'
import { campaignFormWords } from './campaign-form-words.ts'
import { campaignWords } from './campaign-words.ts'
import { type Campaign, type Category, useCampaign, useId } from './data.ts'
import './together.css'

interface Form {
  title: string
  story: string
  currency: Currency
  goal: string
  category: Category
  /** A day, as the field of the browser has it: 2026-12-24. */
  ends: string
  cover: string
}

const fields = ['title', 'story', 'goal_amount', 'category', 'ends_at', 'cover_url']

export const NewCampaign = () => {
  const t = useWords(campaignFormWords)
  const wallets = useWallets()
  return (
    <Page title={t.newTitle} back="/campaigns">
      <p className="text-soft">{t.newText}</p>
      <Loaded query={wallets} skeleton={<RowBones rows={4} />}>
        {(found) => <NewForm currency={found.find((one) => one.is_default)?.currency ?? 'UGX'} />}
      </Loaded>
    </Page>
  )
}

const NewForm = ({ currency }: { currency: Currency }) => {
  const t = useWords(campaignFormWords)
  const [, go] = useLocation()
  const act = useAct({
    name: 'campaign-new',
    run: (body: CreateCampaignBody, call) => client.campaigns.create(body, call),
    onDone: ({ id }) => {
      say(t.begun)
      go(`/campaigns/${id}`, { replace: true })
    },
  })
  const blank: Form = { title: '', story: '', currency, goal: '', category: 'other', ends: '', cover: '' }
  return (
    <CampaignFields
      first={blank}
      act={act}
      text={t.begin}
      onBody={({ title, story, currency: chosen, category }, { goal, end, cover }) =>
        void act.submit({
          ...{ title, story, currency: chosen, goal_amount: goal, category },
          ...(end === null ? {} : { ends_at: end }),
          ...(cover === null ? {} : { cover_url: cover }),
        })
      }
    />
  )
}

export const EditCampaign = () => {
  const t = useWords(campaignFormWords)
  const id = useId()
  return (
    <Page title={t.editTitle} back={`/campaigns/${id}`}>
      <Loaded query={useCampaign(id)} skeleton={<RowBones rows={4} />}>
        {(campaign) => <EditForm campaign={campaign} />}
      </Loaded>
    </Page>
  )
}

const EditForm = ({ campaign }: { campaign: Campaign }) => {
  const t = useWords(campaignFormWords)
  const c = useWords(common)
  const [, go] = useLocation()
  const { id, title, story, currency, category } = campaign
  const act = useAct({
    name: `campaign-${id}-change`,
    run: (body: ChangeCampaignBody) => client.request('PATCH /api/campaigns/:id', { params: { id }, body }),
    onDone: () => {
      say(t.saved)
      go(`/campaigns/${id}`)
    },
  })
  const first: Form = {
    ...{ title, story, currency, category },
    goal: String(campaign.goal_amount),
    ends: dayOf(campaign.ends_at),
    cover: campaign.cover_url ?? '',
  }
  return (
    <CampaignFields
      first={first}
      act={act}
      text={c.save}
      fixed={{ currency: true, title: campaign.contributor_count > 0, end: campaign.status === 'ended' }}
      onBody={(form, { goal, end, cover }) =>
        void act.submit({
          ...(form.title === title ? {} : { title: form.title }),
          ...{ story: form.story, goal_amount: goal, category: form.category, cover_url: cover },
          // The same day means the same moment as before.
          ...(form.ends === first.ends ? {} : { ends_at: end }),
        })
      }
    />
  )
}

interface Read {
  goal: string
  end: string | null
  cover: string | null
}

interface FieldsProps<Order> {
  first: Form
  act: Act<Order>
  text: string
  /** What can't be changed any more. */
  fixed?: { currency?: boolean; title?: boolean; end?: boolean }
  onBody: (form: Form, read: Read) => void
}

const CampaignFields = <Order,>({ first, act, text, fixed = {}, onBody }: FieldsProps<Order>) => {
  const t = useWords(campaignFormWords)
  const c = useWords(common)
  const [form, setForm] = useState(first)
  const [wrong, setWrong] = useState(false)
  const set = (change: Partial<Form>) => {
    setWrong(false)
    setForm({ ...form, ...change })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const goal = readAmount(form.goal, form.currency)
    setWrong(goal === undefined)
    if (goal === undefined) return
    onBody(form, { goal, end: endOf(form.ends), cover: form.cover.trim() === '' ? null : form.cover.trim() })
  }
  const errorOf = (field: string) => (act.state === 'refused' ? fieldError(act.error, field) : undefined)
  return (
    <form className="form" onSubmit={submit}>
      <ActNotice act={act} fields={fields} />
      <TextField
        label={t.title}
        hint={fixed.title ? t.titleFixed : t.titleHint}
        error={errorOf('title')}
        value={form.title}
        onChange={(title) => set({ title })}
        maxLength={80}
        readOnly={fixed.title}
        required
      />
      <LongTextField
        label={t.story}
        hint={t.storyHint}
        error={errorOf('story')}
        value={form.story}
        onChange={(story) => set({ story })}
        maxLength={5_000}
        rows={8}
        required
      />
      <AmountField
        label={t.goal}
        hint={t.goalHint}
        error={wrong ? c.notAmount(form.currency) : errorOf('goal_amount')}
        value={form.goal}
        onChange={(goal) => set({ goal })}
        currency={form.currency}
        onCurrency={fixed.currency ? undefined : (currency) => set({ currency })}
      />
      <Details form={form} set={set} errorOf={errorOf} isEnded={fixed.end ?? false} />
      <Button type="submit" look="main" busy={act.state === 'busy'}>
        {text}
      </Button>
    </form>
  )
}

interface DetailsProps {
  form: Form
  set: (change: Partial<Form>) => void
  errorOf: (field: string) => string | undefined
  isEnded: boolean
}

const Details = ({ form, set, errorOf, isEnded }: DetailsProps) => {
  const t = useWords(campaignFormWords)
  const w = useWords(campaignWords)
  return (
    <>
      <ChoiceField
        label={t.category}
        value={form.category}
        onChange={(category) => set({ category })}
        options={(Object.keys(w.categories) as Category[]).map((category) => ({
          value: category,
          text: w.categories[category],
        }))}
      />
      {!isEnded && (
        <TextField
          label={t.ends}
          hint={t.endsHint}
          error={errorOf('ends_at')}
          value={form.ends}
          onChange={(ends) => set({ ends })}
          type="date"
          min={dayOf(new Date().toISOString())}
          optional
        />
      )}
      <TextField
        label={t.cover}
        hint={t.coverHint}
        error={errorOf('cover_url')}
        value={form.cover}
        onChange={(cover) => set({ cover })}
        type="url"
        inputMode="url"
        autoCapitalize="none"
        maxLength={2_048}
        optional
      />
    </>
  )
}

/** The last second of that day, where the browser is. */
function endOf(day: string): string | null {
  const end = new Date(`${day}T23:59:59`)
  return day === '' || Number.isNaN(end.getTime()) ? null : end.toISOString()
}

function dayOf(moment: string | null): string {
  if (moment === null) return ''
  const time = new Date(moment)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}
